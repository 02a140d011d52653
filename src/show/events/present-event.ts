import type { EventResult } from "#db/lists/events.ts";
import { dollarsOf } from "#src/http/money.ts";
import type { CallView } from "#src/play/calls/schemas.ts";
import type { PayingView } from "#src/play/settlements/schemas.ts";
import { winnerOf } from "#src/play/spots/contract.ts";
import { presentPool } from "#src/play/spots/present-pool.ts";
import { presentSpot, type SpotRow } from "#src/play/spots/present-spot.ts";
import type { EventPlan, EventView } from "./schemas.ts";
import type { EventRow } from "./with-event.ts";

const iso = (moment: Date | null) => moment?.toISOString() ?? null;

type EventParts = {
  trueSpot: SpotRow;
  falseSpot: SpotRow;
  isUnpaid: boolean;
  nextStart: EventView["nextStart"];
  myCalls: CallView[];
  plan: EventPlan | null;
};

/**
 * The JSON of an event.
 * @param parts its two spots, whether its settlement has not paid everybody yet, how the event after it starts, the viewer's own
 *   calls (none in a broadcast), and its plan (null for all but admins).
 */
export function presentEvent(event: EventRow, parts: EventParts): EventView {
  const { trueSpot, falseSpot, isUnpaid, nextStart, myCalls, plan } = parts;
  return {
    id: event.id,
    sessionId: event.sessionId,
    blueprintEventId: event.blueprintEventId,
    position: event.position,
    title: event.title,
    description: event.description,
    trueLabel: event.trueLabel,
    falseLabel: event.falseLabel,
    state: event.state,
    result: event.result === null ? null : isTrue(event.result),
    voided: event.result === "void",
    resultReason: event.resultReason,
    settlement: presentSettlement(event, isUnpaid),
    pendingResult: presentPending(event),
    paysAt: event.pendingResult === null ? null : iso(event.dueAt),
    ...presentTimes(event),
    nextStart,
    durationSeconds: event.durationSeconds,
    minWager: dollarsOf(event.minWagerCents),
    minWagerCents: event.minWagerCents,
    maxWager: event.maxWagerCents === null ? null : dollarsOf(event.maxWagerCents),
    maxWagerCents: event.maxWagerCents,
    spots: [presentSpot(trueSpot, event), presentSpot(falseSpot, event)],
    pool: presentPool(trueSpot.poolCents, falseSpot.poolCents),
    callsCount: trueSpot.callsCount + falseSpot.callsCount,
    myCalls,
    plan,
    version: event.version,
  };
}

function presentSettlement({ result }: EventRow, isUnpaid: boolean): EventView["settlement"] {
  if (result === null) return null;
  return isUnpaid ? "paying" : "paid";
}

/** Whether the side "true" won; null where neither did. */
function isTrue(result: EventResult): boolean | null {
  const winner = winnerOf[result];
  return winner === null ? null : winner === "true";
}

function presentPending({ pendingResult }: EventRow): EventView["pendingResult"] {
  return pendingResult === null || pendingResult === "void" ? pendingResult : isTrue(pendingResult);
}

function presentTimes(event: EventRow) {
  return {
    opensAt: iso(event.opensAt),
    openedAt: iso(event.openedAt),
    closesAt: iso(event.closesAt),
    closedAt: iso(event.closedAt),
    resolveBy: iso(event.resolveBy),
    resolvedAt: iso(event.resolvedAt),
    publishedAt: iso(event.publishedAt),
    createdAt: event.createdAt.toISOString(),
    updatedAt: event.updatedAt.toISOString(),
  };
}

/** The plan of an event, its next timed transition, and how far it is paid. For admins only. */
export function presentPlan(event: EventRow, paying: PayingView | null): EventPlan {
  const { startMode, offsetSeconds, resolveWithinSeconds, autoResult, nextTransition, remainingMs } = event;
  return {
    startMode,
    offsetSeconds,
    resolveWithinSeconds,
    autoResult,
    nextTransition,
    dueAt: iso(event.dueAt),
    remainingMs,
    paying,
    decided: presentDecision(event),
  };
}

function presentDecision({ decidedAt, decidedById, effectiveAt }: EventRow): EventPlan["decided"] {
  if (decidedAt === null) return null;
  return { at: decidedAt.toISOString(), byId: decidedById, effectiveAt: iso(effectiveAt) };
}
