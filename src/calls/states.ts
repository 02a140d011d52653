import type { TransitionTable } from "#src/http/contract.ts";
import type { CallState } from "./contract.ts";

/**
 * What may become of a call. Its owner hides (cancels) a placed one until shortly before the close; the show hides placed
 * and closed ones when an event is skipped or reset, or the session stops. A resolved call stays.
 */
export const callTransitions = {
  close: { from: ["placed"], to: "closed", label: "Close" },
  hide: { from: ["placed", "closed"], to: "soft_destroyed", label: "Destroy" },
  resolve: { from: ["closed"], to: "resolved", label: "Resolve" },
} as const satisfies TransitionTable<string, CallState>;

/** The states from which the owner may hide a call. */
export const cancellableStates: readonly CallState[] = ["placed"];
