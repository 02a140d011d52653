import type { Side } from "#db/lists/spots.ts";
import { whyNotCancel } from "#src/play/calls/contract.ts";
import type { CallView } from "#src/play/calls/schemas.ts";
import type { EventView } from "#src/show/events/schemas.ts";

export type ViewerCalls = {
  /** Oldest first. */
  calls: readonly CallView[];
  latest: CallView | null;
  wageredCents: Record<Side, number>;
  /** What they won or lost; null before the result is paid. */
  outcome: Outcome | null;
};

export type Outcome = {
  /** `right`: the result was called, and nobody had taken the other side, so the wagers came back. */
  kind: "won" | "right" | "lost" | "even" | "refunded";
  stakeCents: number;
  returnCents: number;
  netCents: number;
};

export function viewerCallsOn(event: Pick<EventView, "myCalls">): ViewerCalls {
  const calls = event.myCalls;
  const sum = (side: Side) =>
    calls.filter((call) => call.side === side).reduce((total, call) => total + call.wagerCents, 0);
  return {
    calls,
    latest: calls.at(-1) ?? null,
    wageredCents: { true: sum("true"), false: sum("false") },
    outcome: outcomeOf(calls),
  };
}

/**
 * The viewer's newest call, and why it cannot be cancelled now; null: it can. Null without a call, or for one that cannot be cancelled any more.
 * @param pausedAt of the session.
 */
export function newestCall(event: EventView, pausedAt: string | null, nowMs: number): NewestCall | null {
  const { latest } = viewerCallsOn(event);
  if (latest === null) return null;
  const why = whyNotCancel({
    state: latest.state,
    eventState: event.state,
    placedAtMs: Date.parse(latest.placedAt),
    closesAtMs: event.closesAt === null ? null : Date.parse(event.closesAt),
    pausedAtMs: pausedAt === null ? null : Date.parse(pausedAt),
    nowMs,
  });
  return why === null || why === "paused" ? { call: latest, why } : null;
}
export type NewestCall = { call: CallView; why: "paused" | null };

/** Won, or right where there was nothing to win: both are celebrated, and extend a streak. */
export function isRight(outcome: Outcome | null | undefined): boolean {
  return outcome?.kind === "won" || outcome?.kind === "right";
}

function outcomeOf(calls: readonly CallView[]): Outcome | null {
  if (calls.length === 0 || calls.some((call) => call.outcome === null)) return null;
  const stakeCents = calls.reduce((total, call) => total + call.wagerCents, 0);
  const returnCents = calls.reduce((total, call) => total + (call.payoutCents ?? 0), 0);
  const netCents = returnCents - stakeCents;
  if (calls.every((call) => call.outcome === "refunded")) {
    const kind = calls.some((call) => call.refundReason === "no_loser") ? "right" : "refunded";
    return { kind, stakeCents, returnCents, netCents };
  }
  if (netCents === 0) return { kind: "even", stakeCents, returnCents, netCents };
  return { kind: netCents > 0 ? "won" : "lost", stakeCents, returnCents, netCents };
}
