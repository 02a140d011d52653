import { LinkifyIt } from "linkify-it";
import { findBadWord } from "#src/base/find-bad-word.ts";
import { invalid } from "#src/base/refusal.ts";

/*
 * A message with an insult or a link is refused, not masked. Masked words are still readable, and the sender learns nothing.
 * The refusal names the text to remove, and the message stays in the form to be edited. Addresses are found by `linkify-it`.
 */

/** Top-level domains of addresses that are written without "https://", beside those that the library knows. */
const extraDomains =
  "app bet casino chat click club dev games link live online poker site store top vip xyz".split(" ");
const links = new LinkifyIt({ fuzzyLink: true, fuzzyIP: true }).tlds(extraDomains, true);

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

function findLink(body: string): string | null {
  return links.match(body)?.[0]?.text ?? null;
}
