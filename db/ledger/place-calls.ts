import { type SQL, sql } from "drizzle-orm";
import * as v from "valibot";
import type { Queryable } from "../client.ts";
import { queryRows, wholeNumber } from "./query.ts";
import { writeIntegerArray, writeTextArray } from "./write-array.ts";

export type PlaceCall = {
  userId: number;
  spotId: number;
  wagerCents: number;
  /** Unique per player: the same key and call answer the first one again. */
  idempotencyKey: string;
  /** The token of the lock held on the player's wallet; without one, the database's own locks do. */
  fence?: number;
};

/** What can become of a call; the order is that in which they are judged (place_calls in the migration says more). */
export const placementCodes = [
  "replayed",
  "key_reused",
  "not_found",
  "stale_lock",
  "paused",
  "wrong_state",
  "late",
  "below_min",
  "over_max",
  "insufficient",
  "placed",
] as const;
export type PlacementCode = (typeof placementCodes)[number];

export type PlacedCall = {
  code: PlacementCode;
  /** Of the call placed now (placed) or earlier under the same key (replayed, key_reused). */
  callId: number | null;
  /** How long after the close the database's clock was, where that is the reason (late, or wrong_state once closed). */
  lateMs: number | null;
};

/** A row of what becomes of a call. */
export const placedCall = v.object({
  code: v.picklist(placementCodes),
  callId: v.nullable(wholeNumber),
  lateMs: v.nullable(v.number()),
});

/**
 * Judges and places calls in one statement and one commit: the answers stand in the order of the calls, and a refused
 * call does not stop the others. Several calls of one player are judged one after the other.
 * @throws when the batch as a whole fails (then nothing is placed, and each call may be tried alone).
 */
export async function placeCalls(db: Queryable, calls: readonly PlaceCall[]): Promise<PlacedCall[]> {
  if (calls.length === 0) return [];
  const placed = await queryRows(
    db,
    placedCall,
    sql`SELECT code, call_id AS "callId", late_ms AS "lateMs" FROM place_calls(${placingArrays(calls)}) ORDER BY ord`,
  );
  if (placed.length !== calls.length) throw new Error("place_calls must answer every call");
  return placed;
}

/** Calls as the functions that place them take them: an array for each of their parts. */
export function placingArrays(calls: readonly PlaceCall[]): SQL {
  const fences = calls.some((call) => call.fence !== undefined)
    ? writeIntegerArray(calls.map((call) => call.fence ?? null))
    : null;
  return sql`${writeIntegerArray(calls.map((call) => call.userId))}::bigint[],
    ${writeIntegerArray(calls.map((call) => call.spotId))}::bigint[],
    ${writeIntegerArray(calls.map((call) => call.wagerCents))}::bigint[],
    ${writeTextArray(calls.map((call) => call.idempotencyKey))}::text[],
    ${fences}::bigint[]`;
}
