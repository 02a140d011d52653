/** What differs between two answers that say the same. Texts within the JSON have their quotes escaped and never match. */
const VOLATILE = /"serverTime":"[^"]*"/g;

/**
 * The ETag of an answer: weak, because the time in it is left out; what stands before the dash is the version of the one
 * thing that it shows, where that has one: `W/"12-9f2c..."`. If-Match takes it.
 * @param text the answer as JSON.
 */
export function tagOf(answer: object, text: string): string {
  const version = versionIn(answer);
  const hash = Bun.hash(text.replaceAll(VOLATILE, "")).toString(36);
  return version === null ? `W/"${hash}"` : `W/"${version}-${hash}"`;
}

/** True where If-None-Match names this answer: whoever asks has it already. */
export function isKnown(ifNoneMatch: string | null, tag: string): boolean {
  if (ifNoneMatch === null) return false;
  const known = ifNoneMatch.split(",").map((one) => one.trim());
  return known.includes("*") || known.some((one) => opaque(one) === opaque(tag));
}

/** Weak and strong tags of the same content compare as equal here. */
function opaque(tag: string): string {
  return tag.replace(/^W\//, "");
}

/** `{session: {version: 12}}` -> 12 */
function versionIn(answer: object): number | null {
  const [shown, another]: unknown[] = Object.values(answer);
  if (another !== undefined || typeof shown !== "object" || shown === null) return null;
  return "version" in shown && typeof shown.version === "number" ? shown.version : null;
}
