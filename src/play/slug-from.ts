import anyAscii from "any-ascii";
import { onlyDigits, RESERVED_SLUG, SESSION_SLUG_LENGTH_MAX } from "#db/lists/session-address.ts";

// Decision: an address is written in ASCII, whatever the script of its name, so that it can be said aloud, typed on a phone and printed
// beside a QR code.

/**
 * The slug that a name leads to: "Été: the final!" -> "ete-the-final". Emoji lead to their names.
 * @param noun begins the slug of a name that leads to none of its own: "session-24".
 */
export function slugFrom(name: string, noun = "session"): string {
  const slug = anyAscii(name)
    .toLowerCase()
    .replaceAll(/['`]/g, "")
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replace(/^-/, "")
    .slice(0, SESSION_SLUG_LENGTH_MAX)
    .replace(/-$/, "");
  const isFree = slug !== "" && slug !== RESERVED_SLUG && !onlyDigits.test(slug);
  return isFree ? slug : `${noun}-${slug}`.replace(/-$/, "");
}
