import type { Transition, TransitionTable } from "#src/transition.ts";
import type { EventState } from "./contract.ts";

/**
 * What may become of an event; whatever is not listed is refused. Besides the table:
 * - `open_event` needs a running session, or none;
 * - `resolve` on an open event closes it first, on a resolved one it is a correction and needs a reason;
 * - `hide` leaves open and closed events to the session's skip, which refunds;
 * - `show` leads back to resolved where the event has a result;
 * - `destroy` is the DELETE of an event, not a name that the state update takes.
 */
export const eventTransitions = {
  publish_event: { from: ["draft"], to: "visible", label: "Publish" },
  open_event: { from: ["visible"], to: "open", label: "Open" },
  close_event: { from: ["open"], to: "closed", label: "Close" },
  resolve: { from: ["open", "closed", "resolved"], to: "resolved", label: "Resolve" },
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
