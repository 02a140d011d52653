import type { CallState, Outcome, RefundReason } from "#db/lists/calls.ts";
import { CANCEL_BEFORE_CLOSE_MS, CANCEL_BEFORE_PAUSE_MS } from "#db/lists/limits.ts";
import type { Side } from "#db/lists/spots.ts";
import { labelsOf } from "#src/base/contract.ts";
import type { TransitionTable } from "#src/http/contract.ts";

export const WAGER_DEFAULT = 1;
/** The states in which a call counts as active: its wager is held. */
export const activeCallStates: readonly CallState[] = ["placed", "closed"];
export const callStateLabel = labelsOf<CallState>({
  placed: "Placed",
  closed: "Closed",
  resolved: "Resolved",
  soft_destroyed: "Destroyed",
});

/**
 * The transitions of a call. Its owner hides (cancels) a placed call until shortly before the close. An admin hides a placed or
 * closed call, and a skip or reset of its event hides them all. A resolved call stays resolved.
 */
export const callTransitions = {
  close: { from: ["placed"], to: "closed", label: "Close" },
  hide: { from: ["placed", "closed"], to: "soft_destroyed", label: "Destroy" },
  resolve: { from: ["closed"], to: "resolved", label: "Resolve" },
} as const satisfies TransitionTable<string, CallState>;

/** What a result pays each call: `payoutTermsSchema` says how. */
export type PayoutTerms = {
  outcomes: Record<Side, Outcome>;
  refundReason: RefundReason | null;
  poolCents: number;
  sharedByCents: number;
  addedCents: number;
  lastCallId: number;
};

/** The payout of one call, to the cent as the settlement has decided it. */
export function payoutBy(terms: PayoutTerms, call: { id: number; side: Side; wagerCents: number }) {
  const outcome = terms.outcomes[call.side];
  const addedCents = terms.addedCents + Number(call.id <= terms.lastCallId);
  const shared = BigInt(terms.poolCents) * BigInt(call.wagerCents) + BigInt(addedCents);
  const payoutCents = outcome === "lost" ? 0 : Number(shared / BigInt(terms.sharedByCents));
  return { outcome, payoutCents, refundReason: terms.refundReason };
}

/** So many calls make it a story that few of them were right. */
const STORY_CALLS_MIN = 4;
/** And at most one in so many was right. */
const STORY_ONE_IN = 4;

export function isNearlyAlone(rightCount: number, callsCount: number): boolean {
  return callsCount >= STORY_CALLS_MIN && rightCount * STORY_ONE_IN <= callsCount;
}

/** What decides whether its owner can cancel a call. Moments are in milliseconds. */
export type CancelTerms = {
  state: CallState;
  eventState: string;
  placedAtMs: number;
  closesAtMs: number | null;
  /** When the session was paused, if it is: its clock is stopped there. */
  pausedAtMs: number | null;
  nowMs: number;
};

/**
 * Why its owner cannot cancel a call; null: they can. `state`: it is not placed on an open event. `late`: the close is near.
 * `paused`: they can after the resume. Tells pages whether to offer it; cancel-call.sql decides by the same rules.
 */
export function whyNotCancel(terms: CancelTerms): "state" | "late" | "paused" | null {
  const { placedAtMs, closesAtMs, pausedAtMs, nowMs } = terms;
  if (terms.state !== "placed" || terms.eventState !== "open" || closesAtMs === null) return "state";
  if (closesAtMs - (pausedAtMs ?? nowMs) < CANCEL_BEFORE_CLOSE_MS) return "late";
  return pausedAtMs !== null && pausedAtMs - placedAtMs > CANCEL_BEFORE_PAUSE_MS ? "paused" : null;
}
