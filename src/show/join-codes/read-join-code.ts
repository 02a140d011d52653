import { JOIN_CODE_LENGTH, JOIN_CODE_LETTERS } from "#db/lists/join-code.ts";
import { foldText } from "#src/base/fold-text.ts";
import { Refusal } from "#src/base/refusal.ts";

const SEPARATORS = /[\s\p{P}]/gu;

/**
 * A join code as somebody has typed it: upper or lower case, with spaces or hyphens, in letters of other alphabets that look the same.
 * @throws Refusal 404 that says what is wrong with it.
 */
export function readJoinCode(typed: string): string {
  const code = foldText(typed.normalize("NFC").toUpperCase()).text.toUpperCase().replaceAll(SEPARATORS, "");
  if (code === "") throw unfit("Type the code that the host shows.");
  const unknown = [...new Set(code)].filter((letter) => !JOIN_CODE_LETTERS.includes(letter));
  if (unknown.length > 0) {
    const isMistaken = unknown.some((letter) => "01OIL".includes(letter));
    throw unfit(
      isMistaken
        ? `Look again: a code has no 0, O, 1, I or L. You typed ${unknown.join(" and ")}.`
        : `A code has only letters and digits. You typed ${unknown.join(" and ")}.`,
    );
  }
  if (code.length !== JOIN_CODE_LENGTH)
    throw unfit(`A code has ${JOIN_CODE_LENGTH} letters and digits. You typed ${code.length}.`);
  return code;
}

function unfit(sentence: string): Refusal {
  return new Refusal(404, "unknown_code", sentence);
}
