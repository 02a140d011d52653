import type { View } from "./view.ts";

/** The ranking with the result on the card is known: an earlier one must not be told again. */
export function isRankKnown({ event, phase, state }: Pick<View, "event" | "phase" | "state">): boolean {
  return phase === "resolved" && Date.parse(state.meAsOf) >= Date.parse(event?.resolvedAt ?? "");
}
