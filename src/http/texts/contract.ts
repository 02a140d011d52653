// A file of its own: browsers do not load it.

const LINE_BREAKS = /[\t\n\v\f\r\u0085\u2028\u2029]+/g;
const MANY_MARKS = /\p{M}{4,}/gu;
/** Three accents on a letter. Burmese, Tibetan and Lanna write up to six parts around one, as in the name Kyaw (ကျော်). */
const KEPT_MARKS = /^(?:[\p{Script=Myanmar}\p{Script=Tibetan}\p{Script=Tai_Tham}]{4,6}|\p{M}{3})/u;
/** After these letters a joiner or a variation changes nothing. Elsewhere it makes one sign of two, as in Persian and families. */
const PLAIN = String.raw`\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\s\u200c\u200d`;
/** What is not seen: first, in a group, where it is a part of a sign and stays; then where it only hides something. */
const UNSEEN = new RegExp(
  [
    String.raw`(\u{1f3f4}[\u{e0020}-\u{e007e}]{1,10}\u{e007f}|\p{Script=Han}[\ufe00-\ufe0f\u{e0100}-\u{e01ef}]`,
    String.raw`\p{Script=Mongolian}[\u180b-\u180d\u180f]|(?<=[^${PLAIN}])[\u200c\u200d\ufe00-\ufe0f])`,
    String.raw`[\u0000-\u0008\u000e-\u001f\u007f-\u0084\u0086-\u009f\p{Cs}\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f]`,
    String.raw`[\u200b-\u200f\u202a-\u202e\u2060-\u206f\u2800\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffc]`,
    String.raw`[\u{1bca0}-\u{1bca3}\u{1d173}-\u{1d17a}\u{e0000}-\u{e0fff}]`,
  ].join("|"),
  "gu",
);
const keptOf = (marks: string) => KEPT_MARKS.exec(marks)?.[0] ?? "";
const SEEN = /[^\s\p{M}\p{Default_Ignorable_Code_Point}]/u;

/**
 * A text without what is not seen: control characters, marks that change the reading direction, invisible letters, and more than
 * three combining accents on a letter. Empty if nothing of it is seen. Accents are cut before they are sorted by `normalize`, which
 * takes quadratic time for many on one letter, and once more after it, because it makes two of some.
 */
export function cleanText(text: string): string {
  const cleaned = text
    .replaceAll(UNSEEN, "$1")
    .replaceAll(MANY_MARKS, keptOf)
    .normalize("NFC")
    .replaceAll(MANY_MARKS, keptOf)
    .trim();
  return SEEN.test(cleaned) ? cleaned : "";
}

/** The same, as one line. */
export const cleanLine = (text: string) => cleanText(text.replaceAll(LINE_BREAKS, " "));
