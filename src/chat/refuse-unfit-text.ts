import { LinkifyIt } from "linkify-it";
import { englishDataset, englishRecommendedTransformers, RegExpMatcher } from "obscenity";
import { invalid } from "#src/base/refusal.ts";

/** Ordinary words that hold another one. */
const innocent = ["cockpit", "rapeseed", "penistone", "niggard", "cum laude", "spastic colon"];
/** Endings of addresses that people write without "https://", beside those that the library knows. */
const moreEndings =
  "app bet casino chat click club dev games link live online poker site store top vip xyz".split(" ");

const { blacklistedTerms, whitelistedTerms = [] } = englishDataset.build();
const bad = new RegExpMatcher({
  blacklistedTerms,
  whitelistedTerms: [...whitelistedTerms, ...innocent],
  ...englishRecommendedTransformers,
});
const links = new LinkifyIt({ fuzzyLink: true, fuzzyIP: true }).tlds(moreEndings, true);

/** Letters that stand alone, in a row of three or more: "f u c k", "f.u.c.k". */
const spelledOut = /(?<![\p{L}\p{N}])[\p{L}\p{N}@$!](?:[\s._*-]+[\p{L}\p{N}@$!](?![\p{L}\p{N}])){2,}/gu;

/**
 * Refuses a message with a word that insults, or with a link: 422, with what to leave out in `detail`.
 * @param links "allowed" for those who run the show.
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

/** The first bad word, as it was written; null where there is none. */
function findBadWord(body: string): string | null {
  const spelled = [...body.matchAll(spelledOut)].map(([letters]) => letters);
  const hidden = spelled.find((letters) => bad.hasMatch(letters.replaceAll(/[\s._*-]/g, "")));
  if (hidden !== undefined) return hidden;
  const [first] = bad.getAllMatches(body, true);
  return first === undefined ? null : body.slice(first.startIndex, first.endIndex + 1);
}

function findLink(body: string): string | null {
  return links.match(body)?.[0]?.text ?? null;
}
