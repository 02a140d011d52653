import { invalid, Refusal } from "#src/base/refusal.ts";
import { IDEMPOTENCY_KEY_LENGTH_MAX } from "./contract.ts";

// Decision: versions guard what admins edit. A version counts edits, not play: calls, pools and placed wagers change none. A
// stale version is refused with 409 and the current record, so that a form can keep what was typed beside what is stored.

/** Our own ETags, `W/"12-9f2c"`, and a bare version, `"12"`. */
const VERSION = /^(?:W\/)?"?(\d{1,15})(?:-\w+)?"?$/;

/**
 * The version that the client read before it changes a record: `If-Match: "12"`, or the ETag of the answer it read.
 * @returns null without the header and for `*`: the change then applies to any version.
 * @throws Refusal 409 for a tag that is not one of ours, because nothing can match it.
 */
export function readIfMatch(headers: Headers): number | null {
  const tag = headers.get("if-match")?.trim() ?? "";
  if (tag === "" || tag === "*") return null;
  const version = VERSION.exec(tag)?.[1];
  if (version === undefined) throw staleVersion();
  return Number(version);
}

/** A change that may name the version it is based on. Without one it applies to any version. */
export type IfVersion = { ifVersion?: number | null | undefined };

/**
 * Refuses a change that is based on an older version: 409. The record must be locked. The answer also holds the record's
 * current state (handle-request.ts).
 */
export function requireVersion({ ifVersion }: IfVersion, current: { version: number }): void {
  if (ifVersion !== null && ifVersion !== undefined && ifVersion !== current.version) throw staleVersion();
}

export const STALE_VERSION = "stale_version";

function staleVersion(): Refusal {
  return new Refusal(409, STALE_VERSION, "stale version", { detail: "Somebody changed this meanwhile." });
}

const HEADER = "idempotency-key";

/**
 * The Idempotency-Key of a request; null without the header.
 * @throws Refusal 422 for a key that is too long.
 */
export function readIdempotencyKey(headers: Headers): string | null {
  const key = headers.get(HEADER)?.trim() || null;
  if (key === null || key.length <= IDEMPOTENCY_KEY_LENGTH_MAX) return key;
  throw invalid({ idempotencyKey: [`is too long (maximum is ${IDEMPOTENCY_KEY_LENGTH_MAX} characters)`] });
}

/** The response header that says whether the answer was replayed from an earlier request. */
export const REPLAYED_HEADER = "idempotent-replayed";
