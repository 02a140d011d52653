import { sql } from "drizzle-orm";
import * as v from "valibot";
import type { DatabasePool } from "../client.ts";
import { callStates, outcomes, refundCauses } from "../lists/calls.ts";
import { sides } from "../lists/spots.ts";
import { prepareStatement } from "../prepare-statement.ts";
import { signIns, users } from "../schema/users.ts";
import { isSignedIn, isStale, isUnconfirmedNow, isUnexpired } from "../sign-in-conditions.ts";
import { writeIntegerArray, writeTextArray } from "./query.ts";
import { walletRow } from "./read-wallet.ts";

export type PlaceCall = {
  userId: number;
  /** The user's sign-in, which is judged in the same statement; null or left out: the user was authenticated otherwise. */
  signInId?: string | null;
  spotId: number;
  wagerCents: number;
  /** Unique per player: the same key with the same call returns the first call again. */
  idempotencyKey: string;
  /** It asks the house to add what is missing to a call of at most $1.00. */
  onTheHouse?: boolean;
  /** When it arrived at this process, from performance.now(): it is judged by that. Null or left out: it arrives now. */
  arrivedAtMs?: number | null;
};

/**
 * The possible outcomes of a call, in the order in which they are checked. `signed_out`: the sign-in does not exist, has ended or
 * expired, or is not the user's, or the user was deactivated meanwhile. `busy`: db/sql/functions/lock-for-calls.sql.
 * db/sql/functions/place-gated-calls.sql describes each of the others.
 */
const placementCodes = [
  "signed_out",
  "busy",
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

const judged = v.object({
  code: v.picklist(placementCodes),
  /** Of the call placed now (placed) or earlier under the same key (replayed, key_reused). */
  callId: v.nullable(v.number()),
  /** Milliseconds from the close to its arrival, by the database's clock, for a late call. */
  lateMs: v.nullable(v.number()),
  /** When the sign-in was last seen has to be updated. */
  stale: v.boolean(),
});

/** A call with the fields of its spot, event and session that its JSON contains. */
const callRow = v.object({
  id: v.number(),
  userId: v.number(),
  eventId: v.number(),
  spotId: v.number(),
  state: v.picklist(callStates),
  wagerCents: v.number(),
  outcome: v.nullable(v.picklist(outcomes)),
  payoutCents: v.nullable(v.number()),
  /** Why the wager came back without a result; null for own cancellations and for resolved calls. */
  refundedBy: v.nullable(v.picklist(refundCauses)),
  placedAt: v.date(),
  side: v.picklist(sides),
  eventTitle: v.string(),
  eventState: v.string(),
  trueLabel: v.string(),
  falseLabel: v.string(),
  closesAt: v.nullable(v.date()),
  resolvedAt: v.nullable(v.date()),
  sessionId: v.nullable(v.number()),
  sessionSlug: v.nullable(v.string()),
  sessionName: v.nullable(v.string()),
  sessionPausedAt: v.nullable(v.date()),
});
export type CallRow = v.InferOutput<typeof callRow>;

/** A placed call, with everything that the response to its player contains. */
const details = v.object({
  ...walletRow.entries,
  ...callRow.entries,
  /** The sums of the player's results so far. */
  callsCount: v.number(),
  wins: v.number(),
  losses: v.number(),
  refunded: v.number(),
  wageredCents: v.number(),
  returnedCents: v.number(),
  currentStreak: v.number(),
  bestStreak: v.number(),
});
export type CallDetails = v.InferOutput<typeof details>;

/**
 * The outcome of one call. `details` is null unless it was placed, now or before under the same key. Rows are not checked while
 * the product runs, because checking would cost more than reading them: tests/ledger/place-calls.test.ts holds this schema to the
 * database.
 */
export const placedCall = v.object({ ...judged.entries, details: v.nullable(details) });
export type PlacedCall = v.InferOutput<typeof placedCall>;
type PlacedRow = v.InferOutput<typeof judged> & (CallDetails | { userId: null });

/**
 * Judges and places calls in one statement and one commit: the results have the order of the calls, and a refused
 * call does not stop the others. It waits for no other transaction: a call whose event or wallet one holds is `busy`, and can be
 * tried again. Several calls of one player are judged one after the other. The statement judges the sign-ins
 * of the callers too, because looking them up before would be a second trip.
 * @throws when the batch as a whole fails (then nothing is placed, and each call can be tried alone).
 */
export async function placeCalls(
  pool: Pick<DatabasePool, "sql">,
  calls: readonly PlaceCall[],
): Promise<PlacedCall[]> {
  if (calls.length === 0) return [];
  const nowMs = performance.now();
  const rows = await placeBatch(pool, {
    users: writeIntegerArray(calls.map(({ userId }) => userId)),
    signIns: writeTextArray(calls.map(({ signInId }) => signInId ?? null)),
    spots: writeIntegerArray(calls.map(({ spotId }) => spotId)),
    wagers: writeIntegerArray(calls.map(({ wagerCents }) => wagerCents)),
    keys: writeTextArray(calls.map(({ idempotencyKey }) => idempotencyKey)),
    house: writeTextArray(calls.map(({ onTheHouse = false }) => String(onTheHouse))),
    waited: writeIntegerArray(calls.map(({ arrivedAtMs }) => Math.floor(nowMs - (arrivedAtMs ?? nowMs)))),
  });
  if (rows.length !== calls.length) throw new Error("place_gated_calls must return one row for every call");
  return rows.map((row) => {
    const { code, callId, lateMs, stale } = row;
    return { code, callId, lateMs, stale, details: row.userId === null ? null : row };
  });
}

type Values = Record<"users" | "signIns" | "spots" | "wagers" | "keys" | "house" | "waited", string>;

/**
 * A caller whose sign-in does not count is no player, nor is one whose call is busy: place_gated_calls finds no wallet, and places
 * nothing.
 */
const placeBatch = prepareStatement<PlacedRow, Values>(sql`
  WITH callers AS MATERIALIZED (
    SELECT asked.number, asked.sign_in_id, coalesce(found.stale, FALSE) AS stale,
      CASE WHEN asked.sign_in_id IS NULL THEN asked.user_id ELSE found.user_id END AS player
    FROM unnest((SELECT ${sql.placeholder("users")}::bigint[]), (SELECT ${sql.placeholder("signIns")}::uuid[]))
        WITH ORDINALITY AS asked(user_id, sign_in_id, number)
      LEFT JOIN LATERAL (
        SELECT ${users.id} AS user_id, ${isStale} AS stale
        FROM ${signIns} JOIN ${users} ON ${users.id} = ${signIns.userId}
        WHERE ${signIns.id} = asked.sign_in_id AND ${users.id} = asked.user_id
          AND ${isSignedIn} AND ${isUnexpired} AND NOT ${isUnconfirmedNow}
        LIMIT 1
      ) AS found ON TRUE
  ), locked AS MATERIALIZED (
    SELECT gated, busy FROM (SELECT array_agg(player ORDER BY number) AS players FROM callers) AS asked,
      lock_for_calls(asked.players, (SELECT ${sql.placeholder("spots")}::bigint[]), (SELECT ${sql.placeholder("waited")}::int[]))
  )
  SELECT CASE WHEN callers.player IS NULL THEN 'signed_out' WHEN callers.number = ANY (locked.busy) THEN 'busy'
      ELSE placed.code END AS code, callers.stale,
    placed.call_id::float8 AS "callId", late_ms AS "lateMs", placed.call_id::float8 AS id, user_id::float8 AS "userId",
    event_id::float8 AS "eventId", spot_id::float8 AS "spotId", state, wager_cents::float8 AS "wagerCents", outcome,
    payout_cents::float8 AS "payoutCents", refunded_by AS "refundedBy", placed_at AS "placedAt", side,
    event_title AS "eventTitle", event_state AS "eventState", true_label AS "trueLabel", false_label AS "falseLabel",
    closes_at AS "closesAt", resolved_at AS "resolvedAt", session_id::float8 AS "sessionId",
    session_slug AS "sessionSlug", session_name AS "sessionName", session_paused_at AS "sessionPausedAt",
    account_id::float8 AS "accountId", posted_cents::float8 AS "postedCents", held_cents::float8 AS "heldCents",
    held_calls AS "heldCalls", (posted_cents - held_cents)::float8 AS "availableCents", owed_cents::float8 AS "owedCents",
    revision::float8 AS revision, coalesce(calls_count, 0) AS "callsCount", coalesce(wins, 0) AS wins,
    coalesce(losses, 0) AS losses, coalesce(refunded, 0) AS refunded,
    coalesce(wagered_cents, 0)::float8 AS "wageredCents", coalesce(returned_cents, 0)::float8 AS "returnedCents",
    coalesce(current_streak, 0) AS "currentStreak", coalesce(best_streak, 0) AS "bestStreak"
  FROM locked CROSS JOIN LATERAL place_gated_calls(
      (SELECT array_agg(CASE WHEN number <> ALL (busy) THEN player END ORDER BY number) FROM callers),
      (SELECT ${sql.placeholder("spots")}::bigint[]), (SELECT ${sql.placeholder("wagers")}::bigint[]),
      (SELECT ${sql.placeholder("keys")}::text[]), (SELECT ${sql.placeholder("house")}::boolean[]), gated,
      (SELECT ${sql.placeholder("waited")}::int[])) AS placed
    JOIN callers ON callers.number = placed.ord
  ORDER BY placed.ord`);
