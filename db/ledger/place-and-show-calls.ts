import { sql } from "drizzle-orm";
import * as v from "valibot";
import type { Queryable } from "../client.ts";
import { type PlaceCall, type PlacedCall, placedCall, placingArrays } from "./place-calls.ts";
import { queryRows, wholeNumber } from "./query.ts";
import { walletRow } from "./read-wallet.ts";

const shownCall = v.object({
  id: wholeNumber,
  userId: wholeNumber,
  eventId: wholeNumber,
  spotId: wholeNumber,
  state: v.picklist(["placed", "closed", "resolved", "soft_destroyed"]),
  wagerCents: wholeNumber,
  outcome: v.nullable(v.picklist(["won", "lost", "refunded"])),
  payoutCents: v.nullable(wholeNumber),
  placedAt: v.date(),
  side: v.picklist(["true", "false"]),
  eventTitle: v.string(),
  eventState: v.string(),
  trueLabel: v.string(),
  falseLabel: v.string(),
  closesAt: v.nullable(v.date()),
  resolvedAt: v.nullable(v.date()),
  sessionId: v.nullable(wholeNumber),
  sessionSlug: v.nullable(v.string()),
  sessionName: v.nullable(v.string()),
  sessionState: v.nullable(v.string()),
});
const shownMetrics = v.object({
  callsCount: v.number(),
  wins: v.number(),
  losses: v.number(),
  refunded: v.number(),
  wageredCents: wholeNumber,
  returnedCents: wholeNumber,
  currentStreak: v.number(),
  bestStreak: v.number(),
});

/** A call that stands, with all that its owner is answered. */
export type ShownCall = {
  call: v.InferOutput<typeof shownCall>;
  wallet: v.InferOutput<typeof walletRow>;
  /** The sums of the results so far; null where there is none. */
  metrics: v.InferOutput<typeof shownMetrics> | null;
};

/**
 * Places calls as placeCalls does, and shows those that stand then: placed now, or before under the same key. One statement
 * for all of it.
 */
export async function placeAndShowCalls(
  db: Queryable,
  calls: readonly PlaceCall[],
): Promise<(PlacedCall & { shown: ShownCall | null })[]> {
  if (calls.length === 0) return [];
  const rows = await queryRows(
    db,
    v.record(v.string(), v.unknown()),
    sql`SELECT ${columns} FROM place_and_show_calls(${placingArrays(calls)}) ORDER BY ord`,
  );
  if (rows.length !== calls.length) throw new Error("place_and_show_calls must answer every call");
  return rows.map((row) => {
    const placed = v.parse(placedCall, row);
    return { ...placed, shown: row["userId"] === null ? null : readShown(row) };
  });
}

function readShown(row: Record<string, unknown>): ShownCall {
  return {
    call: v.parse(shownCall, row),
    wallet: v.parse(walletRow, row),
    metrics: row["callsCount"] === null ? null : v.parse(shownMetrics, row),
  };
}

const columns = sql.raw(`code, call_id AS "callId", late_ms AS "lateMs", call_id AS id, user_id AS "userId",
  event_id AS "eventId", spot_id AS "spotId", state, wager_cents AS "wagerCents", outcome,
  payout_cents AS "payoutCents", placed_at AS "placedAt", side, event_title AS "eventTitle",
  event_state AS "eventState", true_label AS "trueLabel", false_label AS "falseLabel", closes_at AS "closesAt",
  resolved_at AS "resolvedAt", session_id AS "sessionId", session_slug AS "sessionSlug",
  session_name AS "sessionName", session_state AS "sessionState", account_id AS "accountId",
  posted_cents AS "postedCents", held_cents AS "heldCents", held_calls AS "heldCalls",
  posted_cents - held_cents AS "availableCents", owed_cents AS "owedCents", revision, calls_count AS "callsCount",
  wins, losses, refunded, wagered_cents AS "wageredCents", returned_cents AS "returnedCents",
  current_streak AS "currentStreak", best_streak AS "bestStreak"`);
