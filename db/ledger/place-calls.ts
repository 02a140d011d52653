import { sql } from "drizzle-orm";
import * as v from "valibot";
import type { Queryable } from "../client.ts";
import { callStates, outcomes, refundCauses } from "../lists/calls.ts";
import { sides } from "../lists/spots.ts";
import { queryRows, wholeNumber } from "./query.ts";
import { walletRow } from "./read-wallet.ts";
import { writeIntegerArray, writeTextArray } from "./write-array.ts";

export type PlaceCall = {
  userId: number;
  spotId: number;
  wagerCents: number;
  /** Unique per player: the same key with the same call returns the first call again. */
  idempotencyKey: string;
};

/** The possible outcomes of a call, in the order in which they are checked. db/sql/functions/place-calls.sql describes each. */
const placementCodes = [
  "replayed",
  "key_reused",
  "not_found",
  "late",
  "paused",
  "wrong_state",
  "below_min",
  "over_max",
  "insufficient",
  "placed",
] as const;
export type PlacementCode = (typeof placementCodes)[number];

const placement = v.object({
  code: v.picklist(placementCodes),
  /** Of the call placed now (placed) or earlier under the same key (replayed, key_reused). */
  callId: v.nullable(wholeNumber),
  /** Milliseconds from the close to the database's clock, for a late call. */
  lateMs: v.nullable(v.number()),
});

const callRow = v.object({
  id: wholeNumber,
  userId: wholeNumber,
  eventId: wholeNumber,
  spotId: wholeNumber,
  state: v.picklist(callStates),
  wagerCents: wholeNumber,
  outcome: v.nullable(v.picklist(outcomes)),
  payoutCents: v.nullable(wholeNumber),
  refundedBy: v.nullable(v.picklist(refundCauses)),
  placedAt: v.date(),
  side: v.picklist(sides),
  eventTitle: v.string(),
  eventState: v.string(),
  trueLabel: v.string(),
  falseLabel: v.string(),
  closesAt: v.nullable(v.date()),
  resolvedAt: v.nullable(v.date()),
  sessionId: v.nullable(wholeNumber),
  sessionSlug: v.nullable(v.string()),
  sessionName: v.nullable(v.string()),
  sessionPausedAt: v.nullable(v.date()),
});
const metricsRow = v.object({
  callsCount: v.number(),
  wins: v.number(),
  losses: v.number(),
  refunded: v.number(),
  wageredCents: wholeNumber,
  returnedCents: wholeNumber,
  currentStreak: v.number(),
  bestStreak: v.number(),
});

/** A placed call, with everything that the response to its player contains. */
export type CallDetails = {
  call: v.InferOutput<typeof callRow>;
  wallet: v.InferOutput<typeof walletRow>;
  /** The sums of the player's results so far; null if there are none. */
  metrics: v.InferOutput<typeof metricsRow> | null;
};

/** The outcome of one call. `details` is null unless it was placed, now or before under the same key. */
export type PlacedCall = v.InferOutput<typeof placement> & { details: CallDetails | null };

/**
 * Judges and places calls in one statement and one commit: the results have the order of the calls, and a refused
 * call does not stop the others. Several calls of one player are judged one after the other.
 * @throws when the batch as a whole fails (then nothing is placed, and each call can be tried alone).
 */
export async function placeCalls(db: Queryable, calls: readonly PlaceCall[]): Promise<PlacedCall[]> {
  if (calls.length === 0) return [];
  const rows = await queryRows(
    db,
    v.record(v.string(), v.unknown()),
    sql`SELECT ${columns} FROM place_calls(${writeIntegerArray(calls.map((call) => call.userId))}::bigint[],
      ${writeIntegerArray(calls.map((call) => call.spotId))}::bigint[],
      ${writeIntegerArray(calls.map((call) => call.wagerCents))}::bigint[],
      ${writeTextArray(calls.map((call) => call.idempotencyKey))}::text[]) ORDER BY ord`,
  );
  if (rows.length !== calls.length) throw new Error("place_calls must return one row for every call");
  return rows.map((row) => ({
    ...v.parse(placement, row),
    details: row["userId"] === null ? null : readDetails(row),
  }));
}

function readDetails(row: Record<string, unknown>): CallDetails {
  return {
    call: v.parse(callRow, row),
    wallet: v.parse(walletRow, row),
    metrics: row["callsCount"] === null ? null : v.parse(metricsRow, row),
  };
}

const columns = sql.raw(`code, call_id AS "callId", late_ms AS "lateMs", call_id AS id, user_id AS "userId",
  event_id AS "eventId", spot_id AS "spotId", state, wager_cents AS "wagerCents", outcome,
  payout_cents AS "payoutCents", refunded_by AS "refundedBy", placed_at AS "placedAt", side, event_title AS "eventTitle",
  event_state AS "eventState", true_label AS "trueLabel", false_label AS "falseLabel", closes_at AS "closesAt",
  resolved_at AS "resolvedAt", session_id AS "sessionId", session_slug AS "sessionSlug",
  session_name AS "sessionName", session_paused_at AS "sessionPausedAt", account_id AS "accountId",
  posted_cents AS "postedCents", held_cents AS "heldCents", held_calls AS "heldCalls",
  posted_cents - held_cents AS "availableCents", owed_cents AS "owedCents", revision, calls_count AS "callsCount",
  wins, losses, refunded, wagered_cents AS "wageredCents", returned_cents AS "returnedCents",
  current_streak AS "currentStreak", best_streak AS "bestStreak"`);
