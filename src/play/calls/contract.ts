import type { CallState } from "#db/lists/calls.ts";
import { labelsOf } from "#src/base/contract.ts";
import type { TransitionTable } from "#src/http/contract.ts";

/** The default wager, in dollars. */
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

/** The states in which the owner can cancel a call. */
export const cancellableStates: readonly CallState[] = ["placed"];
