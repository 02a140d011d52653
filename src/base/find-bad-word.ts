import { englishDataset, englishRecommendedTransformers, RegExpMatcher } from "obscenity";

// The word list is that of `obscenity`; add words of the game that it mistakes to `allowedWords`.

/** Ordinary words that contain a bad one. */
const allowedWords = ["cockpit", "rapeseed", "penistone", "niggard", "cum laude", "spastic colon"];

const { blacklistedTerms, whitelistedTerms = [] } = englishDataset.build();
const badWords = new RegExpMatcher({
  blacklistedTerms,
  whitelistedTerms: [...whitelistedTerms, ...allowedWords],
  ...englishRecommendedTransformers,
});

/** Three or more single letters in a row: "f u c k", "f.u.c.k". */
const spelledOut = /(?<![\p{L}\p{N}])[\p{L}\p{N}@$!](?:[\s._*-]+[\p{L}\p{N}@$!](?![\p{L}\p{N}])){2,}/gu;

/** The first bad word in a text, as written; null if there is none. */
export function findBadWord(text: string): string | null {
  const spelled = [...text.matchAll(spelledOut)].map(([letters]) => letters);
  const hidden = spelled.find((letters) => badWords.hasMatch(letters.replaceAll(/[\s._*-]/g, "")));
  if (hidden !== undefined) return hidden;
  const [first] = badWords.getAllMatches(text, true);
  return first === undefined ? null : text.slice(first.startIndex, first.endIndex + 1);
}
