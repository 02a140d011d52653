import type { CallState, RefundCause, RefundReason } from "#db/lists/calls.ts";
import type { Side } from "#db/lists/spots.ts";
import { dollarsOf } from "#src/http/money.ts";
import { activeCallStates, whyNotCancel } from "./contract.ts";
import type { CallView } from "./schemas.ts";

/** A call with the fields of its spot, event and session that its JSON contains. */
export type CallRow = {
  id: number;
  userId: number;
  eventId: number;
  spotId: number;
  state: CallState;
  wagerCents: number;
  outcome: CallView["outcome"];
  payoutCents: number | null;
  /** Why the wager came back without a result; null for own cancellations and for resolved calls. */
  refundedBy: RefundCause | null;
  /** Why a result refunded it: it is void, or nobody called the other side. Null for all others. */
  refundReason: RefundReason | null;
  placedAt: Date;
  side: Side;
  eventTitle: string;
  eventState: string;
  trueLabel: string;
  falseLabel: string;
  closesAt: Date | null;
  resolvedAt: Date | null;
  sessionId: number | null;
  sessionSlug: string | null;
  sessionName: string | null;
  sessionPausedAt: Date | null;
};

/**
 * The JSON of a call. `now` decides whether it is cancellable. A call that was refunded without a result has the outcome
 * "refunded" and its wager as payout, like one that a settlement refunded.
 */
export function presentCall(row: CallRow, now: Date): CallView {
  const refunded = row.refundedBy !== null;
  const outcome = refunded ? "refunded" : row.outcome;
  const payoutCents = refunded ? row.wagerCents : row.payoutCents;
  const netCents = payoutCents === null ? null : payoutCents - row.wagerCents;
  return {
    id: row.id,
    userId: row.userId,
    eventId: row.eventId,
    spotId: row.spotId,
    sessionId: row.sessionId,
    sessionSlug: row.sessionSlug,
    sessionName: row.sessionName,
    eventTitle: row.eventTitle,
    side: row.side,
    label: row.side === "true" ? row.trueLabel : row.falseLabel,
    state: row.state,
    active: activeCallStates.includes(row.state),
    cancellable: isCancellable(row, now),
    wager: dollarsOf(row.wagerCents),
    wagerCents: row.wagerCents,
    outcome,
    refundedBy: row.refundedBy,
    refundReason: row.refundReason,
    payout: payoutCents === null ? null : dollarsOf(payoutCents),
    payoutCents,
    net: netCents === null ? null : dollarsOf(netCents),
    netCents,
    placedAt: row.placedAt.toISOString(),
    resolvedAt: row.state === "resolved" ? (row.resolvedAt?.toISOString() ?? null) : null,
  };
}

function isCancellable(row: CallRow, now: Date): boolean {
  const { state, eventState, placedAt, closesAt, sessionPausedAt } = row;
  const terms = {
    state,
    eventState,
    placedAtMs: placedAt.getTime(),
    closesAtMs: closesAt?.getTime() ?? null,
    pausedAtMs: sessionPausedAt?.getTime() ?? null,
    nowMs: now.getTime(),
  };
  return whyNotCancel(terms) === null;
}
