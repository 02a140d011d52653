import type { Side } from "#db/lists/spots.ts";
import { payoutBy, whyNotCancel } from "#src/play/calls/contract.ts";
import type { CallView } from "#src/play/calls/schemas.ts";
import type { EventView } from "#src/show/events/schemas.ts";

export type ViewerCalls = {
  /** Oldest first. */
  calls: readonly CallView[];
  latest: CallView | null;
  wageredCents: Record<Side, number>;
  /** What they won or lost; null before the result, and until it is paid where the event does not say what it pays. */
  outcome: Outcome | null;
};

export type Outcome = {
  /** `right`: the result was called, and nobody had taken the other side, so the wagers came back. */
  kind: "won" | "right" | "lost" | "even" | "refunded";
  stakeCents: number;
  returnCents: number;
  netCents: number;
};

export type CalledEvent = Pick<EventView, "myCalls" | "payoutTerms">;

/** The viewer's calls. Of those that are not paid yet, the payout is known as soon as it is decided. */
export function viewerCallsOn({ myCalls, payoutTerms: terms }: CalledEvent): ViewerCalls {
  const calls = myCalls.map((call) =>
    terms !== undefined && call.outcome === null ? { ...call, ...payoutBy(terms, call) } : call,
  );
  const wageredCents = { true: 0, false: 0 };
  for (const { side, wagerCents } of calls) wageredCents[side] += wagerCents;
  const outcome = outcomeOf(calls, wageredCents.true + wageredCents.false);
  return { calls, latest: calls.at(-1) ?? null, wageredCents, outcome };
}

/**
 * The viewer's newest call, and why it cannot be cancelled now; null: it can. Null without a call, or for one that cannot be cancelled any more.
 * @param pausedAt of the session.
 */
export function newestCall(event: EventView, pausedAt: string | null, nowMs: number): NewestCall | null {
  const latest = event.myCalls.at(-1);
  if (latest === undefined) return null;
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

function outcomeOf(calls: readonly CallView[], stakeCents: number): Outcome | null {
  if (calls.length === 0 || calls.some((call) => call.outcome === null)) return null;
  const returnCents = calls.reduce((total, call) => total + (call.payoutCents ?? 0), 0);
  const netCents = returnCents - stakeCents;
  return { kind: kindOf(calls, netCents), stakeCents, returnCents, netCents };
}

function kindOf(calls: readonly CallView[], netCents: number): Outcome["kind"] {
  if (calls.every((call) => call.outcome === "refunded"))
    return calls.some((call) => call.refundReason === "no_loser") ? "right" : "refunded";
  if (netCents === 0) return "even";
  return netCents > 0 ? "won" : "lost";
}
