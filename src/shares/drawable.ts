/** What the faces of the pictures have: client/build/fonts.ts chooses their letters. */
const MISSING =
  /[^\u0020-\u007e\u00a0-\u024f\u1ea0-\u1ef9\u2013\u2014\u2018-\u201a\u201c-\u201e\u2020-\u2022\u2026\u2030\u2039\u203a\u20ac\u2122\u2190-\u2193\u2212\u2264\u2265]/gu;
const LETTER = /[\p{L}\p{N}]/gu;

/**
 * A text without the letters that the pictures' fonts lack, such as emoji, which would be drawn as empty boxes.
 * @param instead for a text that would lose more than a few of its letters.
 */
export function drawable(text: string, instead: string): string {
  const composed = text.normalize("NFC");
  const kept = composed.replaceAll(MISSING, "").trim();
  const [before, after] = [composed, kept].map((each) => each.match(LETTER)?.length ?? 0);
  return kept === "" || (after ?? 0) * 2 < (before ?? 0) ? instead : kept;
}
