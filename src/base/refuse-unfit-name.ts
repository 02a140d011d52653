import { findBadWord } from "./find-bad-word.ts";
import { invalid } from "./refusal.ts";

/**
 * Refuses names with an insult: 422. Names stand where nobody has asked to read them: on leaderboards, links and the front door. The
 * questions and descriptions of a host are the host's.
 * @param names the names by their fields; those that are left out are fine.
 */
export function refuseUnfitName(names: Readonly<Record<string, string | undefined>>): void {
  const unfit = Object.keys(names).filter((field) => isUnfit(names[field] ?? ""));
  if (unfit.length === 0) return;
  throw invalid(Object.fromEntries(unfit.map((field) => [field, ["has a word that is not used here"]])));
}

/** A blank in a name may divide a word, as a line below may: "Fu Ck". */
const isUnfit = (name: string) =>
  [name, name.replaceAll(" ", "_")].some((each) => findBadWord(each) !== null);
