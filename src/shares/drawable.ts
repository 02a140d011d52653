/** What the faces of the pictures have: client/build/fonts.ts chooses their letters. */
const MISSING =
  /[^\u0020-\u007e\u00a0-\u024f\u1ea0-\u1ef9\u2013\u2014\u2018-\u201a\u201c-\u201e\u2020-\u2022\u2026\u2030\u2039\u203a\u20ac\u2122\u2190-\u2193\u2212\u2264\u2265]/u;
/** Emoji, with what joins and colours them. A flag is not among them: it is a name. */
const PICTURE = /\p{Extended_Pictographic}|\p{Emoji_Modifier}|\u200d|\ufe0f|\u20e3/gu;

/**
 * A text as the pictures' fonts draw it: without emoji, which they lack.
 * @param instead for a text with any other letter or sign that they lack: without it, a question would be another one.
 */
export function drawable(text: string, instead: string): string {
  const kept = text
    .normalize("NFC")
    .replaceAll(PICTURE, (sign) => (isMissing(sign) ? "" : sign))
    .replaceAll(/\s+/g, " ")
    .trim();
  return kept === "" || isMissing(kept) ? instead : kept;
}

const isMissing = (text: string) => text.search(MISSING) >= 0;
