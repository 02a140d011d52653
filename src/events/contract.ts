import { WAGER_MAX_CENTS } from "#src/calls/contract.ts";
import type { Transition, TransitionTable } from "#src/http/contract.ts";

export const eventStates = [
  "draft",
  "visible",
  "open",
  "closed",
  "resolved",
  "hidden",
  "soft_destroyed",
] as const;
export type EventState = (typeof eventStates)[number];
export const eventStateLabels: Record<EventState, string> = {
  draft: "Draft",
  visible: "Visible",
  open: "Open",
  closed: "Closed",
  resolved: "Resolved",
  hidden: "Hidden",
  soft_destroyed: "Destroyed",
};
/** The states in which players may see an event. */
export const publishedStates: readonly EventState[] = ["visible", "open", "closed", "resolved"];

/**
 * What may become of an event; whatever is not listed is refused. Besides the table:
 * - `open_event` needs a running session, or none;
 * - `resolve` on an open event closes it first, on a resolved one it is a correction and needs a reason;
 *   where the session has a settlement delay, the event stays closed with a `pendingResult` until that is over;
 * - `withdraw` takes that result back, and needs one;
 * - `hide` leaves open and closed events to the session's skip, which refunds;
 * - `show` leads back to resolved where the event has a result;
 * - `destroy` is the DELETE of an event, not a name that the state update takes.
 */
export const eventTransitions = {
  publish_event: { from: ["draft"], to: "visible", label: "Publish" },
  open_event: { from: ["visible"], to: "open", label: "Open" },
  close_event: { from: ["open"], to: "closed", label: "Close" },
  resolve: { from: ["open", "closed", "resolved"], to: "resolved", label: "Resolve" },
  withdraw: { from: ["closed"], to: "closed", label: "Withdraw" },
  reset: { from: ["visible", "open", "closed", "resolved", "hidden"], to: "draft", label: "Reset" },
  hide: { from: ["visible", "resolved"], to: "hidden", label: "Hide" },
  show: { from: ["hidden"], to: "visible", label: "Show" },
  destroy: { from: ["draft", "visible", "hidden"], to: "soft_destroyed", label: "Destroy" },
} as const satisfies TransitionTable<string, EventState>;

export type EventTransition = keyof typeof eventTransitions;

/**
 * What the running order does with an event of a running or paused session. Besides the table: advancing opens nothing while
 * the session is paused, and delaying needs something that is planned.
 */
export const eventActions = {
  advance: { from: ["draft", "visible", "open", "closed"], label: "Advance" },
  skip: { from: ["visible", "open", "closed"], label: "Skip" },
  delay: { from: ["draft", "visible", "open", "closed"], label: "Delay" },
} as const satisfies Record<string, Pick<Transition<EventState>, "from" | "label">>;

export type EventAction = keyof typeof eventActions;

/** After the event before it has closed, or at an offset from the session's start. */
export const startModes = ["after_previous", "offset"] as const;
export const startModeLabels: Record<(typeof startModes)[number], string> = {
  after_previous: "After previous",
  offset: "At offset",
};
/** What an event that resolves by itself resolves to. */
export const autoResults = ["true", "false", "random"] as const;
export const autoResultLabels: Record<(typeof autoResults)[number], string> = {
  true: "True",
  false: "False",
  random: "Random",
};
/** What may happen to an event by itself. */
export const timedTransitions = ["publish_event", "open_event", "close_event", "resolve"] as const;

export const POSITION_MAX = 10_000;

/** Bounds of an event, as forms and refusals name them. */
export const eventLimits = {
  titleLengthMax: 140,
  descriptionLengthMax: 500,
  labelLengthMax: 25,
  durationSecondsMin: 5,
  durationSecondsMax: 1_800,
  offsetSecondsMax: 86_400,
  resolveWithinSecondsMax: 86_400,
  wagerMax: WAGER_MAX_CENTS / 100,
};

export const limits = eventLimits;
