import { findBadWord } from "#src/base/find-bad-word.ts";
import { normalizeText } from "#src/base/normalize-text.ts";
import { invalid } from "#src/base/refusal.ts";

/**
 * Refuses names of teams with an insult, and two names that look the same: 422.
 * @param names undefined: they are not given.
 * @param field the field that they are given in.
 */
export function refuseUnfitTeams(names: readonly string[] | undefined, field: string): void {
  if (names === undefined) return;
  if (names.some((name) => findBadWord(name) !== null))
    throw invalid({ [field]: ["has a word that is not used here"] });
  const looks = names.map((name) => normalizeText(name.normalize("NFC").toLowerCase()).text.toLowerCase());
  const same = names.find((_name, index) => looks.indexOf(looks[index] ?? "") !== index);
  if (same !== undefined) throw invalid({ [field]: [`must differ: ${same} is there twice`] });
}
