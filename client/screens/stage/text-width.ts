// Decision: what fits is estimated from the letters and not measured in the browser. So the server's page has the right size already,
// nothing moves when it becomes live, and it works without JavaScript. The estimates are a little too wide.

const NARROW = /[fijlrtI1|.,:;'’!()[\] -]/u;
const WIDE = /[mwMWQ@%&—…]/u;
/** Chinese, Japanese, Korean, and emoji. */
const FULL =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Extended_Pictographic}\p{Regional_Indicator}]/u;
const CAPITAL = /\p{Lu}/u;
/** They change the letter before them. */
const WITHOUT_WIDTH = /^[\p{Mn}\p{Cf}\p{Emoji_Modifier}]$/u;

/** About how wide a text is on one line, in letters' heights (em). */
export function widthOf(text: string): number {
  let width = 0;
  for (const letter of text) width += letterWidth(letter);
  return width;
}

/** Which of the given widths a text is over: it has smaller letters then. */
export function lengthOf(
  text: string,
  [long, longest, huge = Infinity]: readonly [long: number, longest: number, huge?: number],
): "long" | "longest" | "huge" | undefined {
  const width = widthOf(text);
  if (width > huge) return "huge";
  if (width > longest) return "longest";
  return width > long ? "long" : undefined;
}

function letterWidth(letter: string): number {
  if (WITHOUT_WIDTH.test(letter)) return 0;
  if (FULL.test(letter)) return letter.length > 1 ? 1.3 : 1.05;
  if (NARROW.test(letter)) return 0.35;
  if (WIDE.test(letter)) return 0.95;
  return CAPITAL.test(letter) ? 0.7 : 0.58;
}
