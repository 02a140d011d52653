import type { CallState } from "#db/lists/calls.ts";

/** The default wager, in dollars. */
export const WAGER_DEFAULT = 1;
export const WAGER_MAX_CENTS = 100_000_000;
/** A call can be cancelled until this long before the close of its event. */
export const CANCEL_BEFORE_CLOSE_MS = 5_000;
/** The states in which a call counts as active: its wager is held. */
export const activeCallStates: readonly CallState[] = ["placed", "closed"];
export const callStateLabels: Record<CallState, string> = {
  placed: "Placed",
  closed: "Closed",
  resolved: "Resolved",
  soft_destroyed: "Destroyed",
};
