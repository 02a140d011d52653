import type { TransitionTable } from "#src/http/contract.ts";
import type { SpotState } from "./contract.ts";

/** What may become of a spot. It starts closed, and opens and closes with its event; resolving says once who won. */
export const spotTransitions = {
  open_spot: { from: ["closed"], to: "open", label: "Open" },
  close: { from: ["open"], to: "closed", label: "Close" },
  resolve_spot: { from: ["closed"], to: "closed", label: "Resolve" },
  hide: { from: ["open", "closed"], to: "soft_destroyed", label: "Destroy" },
} as const satisfies TransitionTable<string, SpotState>;
