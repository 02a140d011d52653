import { CANCEL_BEFORE_CLOSE_MS } from "#db/lists/limits.ts";
import type { Side } from "#db/lists/spots.ts";
import { cancellableStates } from "#src/play/calls/contract.ts";
import type { CallView } from "#src/play/calls/schemas.ts";
import type { EventView } from "#src/show/events/schemas.ts";

/** The viewer's calls on an event. */
export type ViewerCalls = {
  /** Oldest first. */
  calls: readonly CallView[];
  latest: CallView | null;
  wageredCents: Record<Side, number>;
  /** What they won or lost; null before the result is paid. */
  outcome: {
    kind: "won" | "lost" | "even" | "refunded";
    stakeCents: number;
    returnCents: number;
    netCents: number;
  } | null;
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
 * The viewer's newest call, while it may still be cancelled: until 5 s before the close. In a pause the clock is stopped.
 * @param pausedAt of the session.
 */
export function cancellableCall(event: EventView, pausedAt: string | null, nowMs: number): CallView | null {
  const { latest } = viewerCallsOn(event);
  const clockMs = pausedAt === null ? nowMs : Date.parse(pausedAt);
  const leftMs = Date.parse(event.closesAt ?? "") - clockMs;
  if (latest === null || event.state !== "open" || leftMs < CANCEL_BEFORE_CLOSE_MS) return null;
  return cancellableStates.includes(latest.state) ? latest : null;
}

function outcomeOf(calls: readonly CallView[]): ViewerCalls["outcome"] {
  if (calls.length === 0 || calls.some((call) => call.outcome === null)) return null;
  const stakeCents = calls.reduce((total, call) => total + call.wagerCents, 0);
  const returnCents = calls.reduce((total, call) => total + (call.payoutCents ?? 0), 0);
  const netCents = returnCents - stakeCents;
  if (calls.every((call) => call.outcome === "refunded")) {
    return { kind: "refunded", stakeCents, returnCents, netCents };
  }
  if (netCents === 0) return { kind: "even", stakeCents, returnCents, netCents };
  return { kind: netCents > 0 ? "won" : "lost", stakeCents, returnCents, netCents };
}
