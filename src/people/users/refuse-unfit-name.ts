import { findBadWord } from "#src/base/find-bad-word.ts";
import { invalid } from "#src/base/refusal.ts";

/** Refuses a username with an insult, also one that is written with underscores between its letters: 422. */
export function refuseUnfitName(username: string): void {
  const spellings = [username, username.replaceAll("_", " "), username.replaceAll("_", "")];
  if (spellings.some((spelling) => findBadWord(spelling) !== null))
    throw invalid({ username: ["has a word that is not used here"] });
}
