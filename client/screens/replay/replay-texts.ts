import { countOf } from "#client/base/format/count.ts";
import { formatMoney } from "#client/base/format/money.ts";
import type { EventResult, EventState } from "#db/lists/events.ts";
import { labelsOf } from "#src/base/contract.ts";

/** The texts of the replay of a session. */

// Controls
export const spoken = (clock: string, since: string, onAir: string) => `${clock}, ${since}. ${onAir}`;

// What it shows
export const onAir = "On air";
export const sessionIs = {
  pending: "Not started",
  running: "Running",
  paused: "Paused",
  stopped: "Ended",
} as const;
export const stateLabel = labelsOf<EventState>({
  draft: "Draft",
  visible: "Announced",
  open: "Open",
  closed: "Closed",
  resolved: "Resolved",
  hidden: "Hidden",
  soft_destroyed: "Deleted",
});

// Check of the payouts
export const allMatch = (decisions: number, callsCount: number, paidCents: number) =>
  `All payouts match: ${countOf(decisions, "decision")}, ${countOf(callsCount, "call")}, ${formatMoney(paidCents)}.`;
export const someDiffer = (decisions: number) => `${countOf(decisions, "decision")} with differences.`;
export const someUnchecked = (decisions: number) => `${countOf(decisions, "decision")} could not be checked.`;
export const decisions = "Decisions and their checks";
const resultWord = labelsOf<EventResult>({ true: "True", false: "False", void: "Void" });
export const decision = (version: number, result: EventResult) =>
  version === 1 ? `Result ${resultWord(result)}` : `Corrected to ${resultWord(result)}`;
