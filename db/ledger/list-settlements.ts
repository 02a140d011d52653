import { type SQL, sql } from "drizzle-orm";
import * as v from "valibot";
import type { Queryable } from "../client.ts";
import { outcomes } from "../lists/calls.ts";
import { results } from "../lists/events.ts";
import { queryRows, wholeNumber } from "./query.ts";
import { hasPaid } from "./wallet-moves.ts";

const settlement = v.object({
  id: wholeNumber,
  /** 1, plus 1 for every correction. */
  version: wholeNumber,
  result: v.picklist(results),
  /** Calls placed at or after it were refunded. */
  effectiveAt: v.nullable(v.date()),
  reason: v.nullable(v.string()),
  /** The pool without the calls that were refunded because of `effectiveAt`. */
  poolCents: wholeNumber,
  winningPoolCents: wholeNumber,
  refundedCents: wholeNumber,
  createdAt: v.date(),
});
export type Settlement = v.InferOutput<typeof settlement>;

const callSettlement = v.object({
  ...settlement.entries,
  payoutCents: wholeNumber,
  outcome: v.picklist(outcomes),
});
/** A settlement, and what it paid one call. */
export type CallSettlement = v.InferOutput<typeof callSettlement>;

const liveSettlement = v.object({
  id: wholeNumber,
  result: v.picklist(results),
  effectiveAt: v.nullable(v.date()),
});

/** The settlements of an event's round: the first, and each correction. The last one is live. */
export function listSettlements(db: Queryable, eventId: number): Promise<Settlement[]> {
  return queryRows(
    db,
    settlement,
    sql`SELECT ${columns} FROM events e JOIN settlements s ON s.event_id = e.id AND s.round = e.round ${reasons}
      WHERE e.id = ${eventId} ORDER BY s.version`,
  );
}

/** The settlements of a call's round that have paid it, with what each of them pays it. */
export function listCallSettlements(db: Queryable, callId: number): Promise<CallSettlement[]> {
  return queryRows(
    db,
    callSettlement,
    sql`SELECT ${columns}, l.payout_cents AS "payoutCents", l.outcome
      FROM calls c JOIN settlements s ON s.event_id = c.event_id AND s.round = c.round
        JOIN settlement_lines l ON l.settlement_id = s.id AND l.call_id = c.id ${reasons}
      WHERE c.id = ${callId} AND ${hasPaid} ORDER BY s.version`,
  );
}

const columns: SQL = sql`s.id, s.version, s.result, s.effective_at AS "effectiveAt", j.reason,
  s.pool_cents AS "poolCents", s.winning_pool_cents AS "winningPoolCents", s.refunded_cents AS "refundedCents",
  s.created_at AS "createdAt"`;
const reasons: SQL = sql`JOIN journal j ON j.id = s.journal_id`;

type LiveSettlement = v.InferOutput<typeof liveSettlement>;

/** The live settlement of an event's current round, after all corrections; null if there is none. */
export async function findSettlement(db: Queryable, eventId: number): Promise<LiveSettlement | null> {
  const [settlement] = await queryRows(
    db,
    liveSettlement,
    sql`SELECT s.id, s.result, s.effective_at AS "effectiveAt"
      FROM settlements s JOIN events e ON e.id = s.event_id AND e.round = s.round
      WHERE s.event_id = ${eventId} AND NOT s.superseded`,
  );
  return settlement ?? null;
}
