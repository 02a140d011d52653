import { type RefusalDetails, Refusal } from "./refusal.ts";

/** Our own tags, `W/"12-9f2c"`, and a version alone, `"12"`. */
const VERSION = /^(?:W\/)?"?(\d{1,15})(?:-\w+)?"?$/;

/**
 * The version that whoever changes something has read: `If-Match: "12"`, or the ETag of that answer.
 * @returns null without the header and for `*`: then whatever is there is changed.
 * @throws Refusal 409 for a tag that is none of ours; nothing can match it.
 */
export function readIfMatch(headers: Headers): number | null {
  const tag = headers.get("if-match")?.trim() ?? "";
  if (tag === "" || tag === "*") return null;
  const version = VERSION.exec(tag)?.[1];
  if (version === undefined) throw staleVersion();
  return Number(version);
}

/**
 * Refuses to change what somebody else has changed meanwhile.
 * @param read the version that the change is based on; null where it does not say.
 * @param current how the thing stands now, as it is answered: `{ session: ... }`.
 */
export async function requireVersion(
  read: number | null | undefined,
  now: { version: number },
  current: () => Promise<Record<string, unknown>>,
): Promise<void> {
  if (read === null || read === undefined || read === now.version) return;
  throw staleVersion({ current: await current() });
}

/** 409: it is another version by now. */
function staleVersion(details: Pick<RefusalDetails, "current"> = {}): Refusal {
  const detail = "Somebody changed this meanwhile. Look at it as it is now, and change it again.";
  return new Refusal(409, "stale_version", "stale version", { ...details, detail });
}
