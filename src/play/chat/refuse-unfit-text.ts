import { LinkifyIt } from "linkify-it";
import { findBadWord } from "#src/base/find-bad-word.ts";
import { foldText } from "#src/base/fold-text.ts";
import { invalid } from "#src/base/refusal.ts";

/*
 * A message with an insult or a link is refused, not masked. Masked words are still readable, and the sender learns nothing.
 * The refusal names the text to remove, and the message stays in the form to be edited. Addresses are found by `linkify-it`, in
 * the text as it looks. "wow.me too", "yes.no" and "3.2.1.0" have the form of an address as well, so one without "https://" or
 * "www" needs a path or an ending that is known for addresses and begins no sentence. Written as a name, "Booking.com" and "ASP.net"
 * are words: no message has links to press, so who advertises gains nothing by a capital that a host cannot take away.
 */

/** Endings of addresses that the library does not take for one. */
const moreEndings =
  "app bet casino chat click club dev games link live online poker site store top vip xyz".split(" ");
const links = new LinkifyIt({ fuzzyLink: true, fuzzyIP: true }).tlds(moreEndings, true);
/** They make an address of a name that has nothing else. */
const wellKnown =
  /\.(?:com|net|org|edu|gov|biz|info|io|co\.uk|org\.uk|com\.au|co\.jp|com\.br|de|fr|nl|pl|ru|eu|ch|app|bet|casino|click|dev|online|poker|site|store|vip|xyz|xxx)$/i;
/** A name with a capital, one dot and a small ending, or an abbreviation in capitals such as "ASP.NET"; nothing that is for sale. */
const asName = /^(?:[A-Z][A-Za-z\d]*\.(?:com|net|org|io|co|eu|de|fr)|[A-Z]{2,3}\.[A-Z]{2,3})$/;
const explicit = /^(?:https?:|ftp:|mailto:)?\/\/|^mailto:|^www\.|@/i;
/** What is behind the name: a path, a port, a question mark. */
const behindName = /^[^/?#:]+[/?#:]./;

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
  const { text, originalOf } = foldText(body);
  const found = links
    .match(text.replaceAll("\u3002", "."))
    ?.map(({ text: link, index, lastIndex }) => ({ link, written: originalOf(index, lastIndex) }))
    .find(
      ({ link, written }) =>
        explicit.test(link) || behindName.test(link) || (wellKnown.test(link) && !asName.test(written)),
    );
  return found?.written ?? null;
}
