import { LinkifyIt } from "linkify-it";
import { englishDataset, englishRecommendedTransformers, RegExpMatcher } from "obscenity";
import { invalid } from "#src/base/refusal.ts";

/*
 * A message with an insult or a link is refused, not masked. Masked words are still readable, and the sender learns nothing.
 * The refusal names the text to remove, and the message stays in the form to be edited. The word lists are those of
 * `obscenity` and `linkify-it`; add words of the game that they mistake to `allowedWords`.
 */

/** Ordinary words that contain a bad one. */
const allowedWords = ["cockpit", "rapeseed", "penistone", "niggard", "cum laude", "spastic colon"];
/** Top-level domains of addresses that are written without "https://", beside those that the library knows. */
const extraDomains =
  "app bet casino chat click club dev games link live online poker site store top vip xyz".split(" ");

const { blacklistedTerms, whitelistedTerms = [] } = englishDataset.build();
const badWords = new RegExpMatcher({
  blacklistedTerms,
  whitelistedTerms: [...whitelistedTerms, ...allowedWords],
  ...englishRecommendedTransformers,
});
const links = new LinkifyIt({ fuzzyLink: true, fuzzyIP: true }).tlds(extraDomains, true);

/** Three or more single letters in a row: "f u c k", "f.u.c.k". */
const spelledOut = /(?<![\p{L}\p{N}])[\p{L}\p{N}@$!](?:[\s._*-]+[\p{L}\p{N}@$!](?![\p{L}\p{N}])){2,}/gu;

/**
 * Refuses a message with an insult or a link.
 * @param links "allowed" for admins.
 * @throws Refusal 422; `detail` names the text to remove.
 */
export function refuseUnfitText(body: string, { links }: { links: "allowed" | "refused" }): void {
  const word = findBadWord(body);
  if (word !== null) {
    throw invalid(
      { body: ["has a word that is not used here"] },
      { code: "word", detail: `Say it without "${word}".` },
    );
  }
  const link = links === "allowed" ? null : findLink(body);
  if (link !== null) {
    throw invalid({ body: ["has a link"] }, { code: "link", detail: `Say it without "${link}".` });
  }
}

/** The first bad word, as written; null if there is none. */
function findBadWord(body: string): string | null {
  const spelled = [...body.matchAll(spelledOut)].map(([letters]) => letters);
  const hidden = spelled.find((letters) => badWords.hasMatch(letters.replaceAll(/[\s._*-]/g, "")));
  if (hidden !== undefined) return hidden;
  const [first] = badWords.getAllMatches(body, true);
  return first === undefined ? null : body.slice(first.startIndex, first.endIndex + 1);
}

function findLink(body: string): string | null {
  return links.match(body)?.[0]?.text ?? null;
}
