import { Refusal } from "#src/base/refusal.ts";

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

/** A change that may say on which version it is based. */
export type Based = { ifVersion?: number | null | undefined };

/**
 * Refuses to change what somebody else has changed meanwhile: 409. The thing must be locked.
 * The answer then also holds the thing as it is now (newer-state.ts).
 */
export function requireVersion({ ifVersion }: Based, now: { version: number }): void {
  if (ifVersion !== null && ifVersion !== undefined && ifVersion !== now.version) throw staleVersion();
}

export const STALE_VERSION = "stale_version";

function staleVersion(): Refusal {
  return new Refusal(409, STALE_VERSION, "stale version", { detail: "Somebody changed this meanwhile." });
}
