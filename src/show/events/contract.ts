import type { AutoResult, EventState, StartMode } from "#db/lists/events.ts";
import { durationSeconds, WAGER_MAX_CENTS } from "#db/lists/limits.ts";
import { labelsOf } from "#src/base/contract.ts";
import type { Transition, TransitionTable } from "#src/http/contract.ts";

export const eventStateLabel = labelsOf<EventState>({
  draft: "Draft",
  visible: "Visible",
  open: "Open",
  closed: "Closed",
  resolved: "Resolved",
  hidden: "Hidden",
  soft_destroyed: "Destroyed",
});
export const publishedStates: readonly EventState[] = ["visible", "open", "closed", "resolved"];

/**
 * The transitions of an event. All others are refused. Rules beyond the table:
 * - `open_event` needs a running session, or an event without a session;
 * - `resolve` closes an open event first. On a resolved event it is a correction and needs a reason, except soon after the
 *   decision (`UNDO_WITHIN_MS`). A person's first result waits for the settlement delay: until then the event stays closed
 *   with a `pendingResult`, which another result replaces without a reason;
 * - `withdraw` removes the pending result, and needs one;
 * - `hide` does not take open and closed events: the `skip` action refunds and hides those;
 * - `show` leads back to resolved if the event has a result;
 * - `destroy` is the DELETE of an event; PATCH of the state does not take it.
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
 * The actions of the running order on an event of a running or paused session. Rules beyond the table: `advance` opens
 * nothing while the session is paused, and `delay` needs a planned transition.
 */
export const eventActions = {
  advance: { from: ["draft", "visible", "open", "closed"], label: "Advance" },
  skip: { from: ["visible", "open", "closed"], label: "Skip" },
  delay: { from: ["draft", "visible", "open", "closed"], label: "Delay" },
} as const satisfies Record<string, Pick<Transition<EventState>, "from" | "label">>;

export type EventAction = keyof typeof eventActions;
export const startModeLabel = labelsOf<StartMode>({
  after_previous: "After previous",
  offset: "At offset",
  after_result: "After the result",
  by_hand: "When I start it",
});

/**
 * How the editor, an import and "New Action" let an event follow the one before it: so long after its result is paid. On the big screen
 * that is 5 s for the result, 5 s for the leaders, and 5 s for the next question. Requests without `start_mode` and `offset_seconds` have
 * the column's own defaults, and no wait.
 */
export const START_DEFAULT = "after_result";
export const WAIT_DEFAULT_SECONDS = 15;
export const autoResultLabel = labelsOf<AutoResult>({
  true: "True",
  false: "False",
  random: "Random",
});

/**
 * For this long after a result was decided, the admin who decided it may correct it without a reason. It counts from the decision
 * and not from the payment.
 */
export const UNDO_WITHIN_MS = 10_000;

/**
 * How much longer a result waits at most for the page of who decided it: the settlement delay is the time in which that person
 * can see the result and take it back, so what the answer takes on its way is added to it. `paysAt` says when it is paid.
 */
export const GRACE_MAX_MS = 5_000;

/** How long a result that a person decided waits before it is paid, unless the session says otherwise. 0: it does not wait. */
export const SETTLEMENT_DELAY_DEFAULT_SECONDS = 5;

export const POSITION_MAX = 10_000;

export const eventLimits = {
  titleLengthMax: 140,
  descriptionLengthMax: 500,
  labelLengthMax: 25,
  durationSecondsMin: durationSeconds.min,
  durationSecondsMax: durationSeconds.max,
  offsetSecondsMax: durationSeconds.max,
  resolveWithinSecondsMax: 86_400,
  wagerMax: WAGER_MAX_CENTS / 100,
};

/** Why a label is refused that is the other one, too: players could not tell the sides apart. */
export const SAME_LABEL = "must differ from the True Label";

export function isSameLabel(one: string, other: string): boolean {
  return one.trim().toLowerCase() === other.trim().toLowerCase();
}

/** True if both labels are the same. A label that is left out has its default. */
export function haveSameText(labels: {
  trueLabel?: string | undefined;
  falseLabel?: string | undefined;
}): boolean {
  return isSameLabel(labels.trueLabel ?? "True", labels.falseLabel ?? "False");
}
