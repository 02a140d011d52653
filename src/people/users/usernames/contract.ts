import { cleanLine } from "#src/http/texts/contract.ts";

// A file of its own: browsers do not load it. Decision: a username is a name as people write it, in their own letters: "Zoë", "O'Brien",
// "李雷", "Anna B".

/** With its marks, of which cleanLine leaves as many as a script needs. */
const LETTER = String.raw`[\p{L}\p{Nd}]\p{M}{0,6}`;
/** As in "Anna B. Li", "de' Medici", "van 't Hek", "J.-P. Li", "Gal·la", "マイケル・J" and "བསྟན་འཛིན". */
const BETWEEN = String.raw`[.'] | '|\.-|[ .'\-·・]|(?<=\p{Script=Tibetan})་(?=\p{Script=Tibetan})`;
/** A joiner is a part of names in Persian, Sinhala and others. "_" has no rule, because names of before have many. */
const JOINER = String.raw`[\u200c\u200d]?`;
const USERNAME = new RegExp(
  `^_*(?:${LETTER})(?:(?:${BETWEEN})?_*${JOINER}(?:${LETTER}))*${JOINER}(?:_*|[.'])$`,
  "u",
);

export const isUsername = (name: string): boolean => USERNAME.test(name);

/** A username as it is stored: in one form, with plain apostrophes, hyphens, dots and blanks, and without what is not seen. */
export function writeUsername(typed: string): string {
  const plain = typed
    .replaceAll(/[\u2018\u2019\u02bc\u05f3\uff07]|(?<=\p{Script=Hebrew})["\u201d\u05f4]/gu, "'")
    .replaceAll(/[\u2010\u2011\u2013]/g, "-")
    .replaceAll(/[\u2022\u2027\uff65]/g, "·");
  return cleanLine(plain)
    .replaceAll(/\s+/g, " ")
    .replace(/[ ་]+$/, "")
    .trim();
}
