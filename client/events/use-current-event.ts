import { streamDelay } from "../base/api/stream-delay.ts";
import { useServerTime } from "../base/live/clock.ts";
import type { ActionState } from "./action-state.ts";
import { type CurrentEvent, currentEventAt, phases } from "./current-event.ts";
import type { View } from "./view.ts";

type Current = Pick<View, "event" | "phase" | "closeWarning"> & {
  /** The server takes calls on the event. */
  takesCalls: boolean;
};

/**
 * The current event and its phase. Renders again when one of them changes, not with every tick of the clock.
 * @param chooseAt what is current at a moment.
 */
export function useCurrentEvent<State extends ActionState>(
  state: State,
  renderedAt: string,
  chooseAt: (state: State, nowMs: number) => CurrentEvent = currentEventAt,
): Current {
  const key = useServerTime((nowMs) => {
    const current = chooseAt(state, nowMs);
    return `${current.event?.id ?? 0}:${current.phase}`;
  }, renderedAt);
  const [id, name] = key.split(":");
  const listed = state.events.find((each) => each.id === Number(id));
  const event = listed ?? (name === "withdrawn" ? (state.withdrawn?.event ?? null) : null);
  const phase = phases.find((each) => each === name) ?? "waiting";
  const closeWarning = useServerTime(() => streamDelay.warningFor(event), renderedAt);
  const takesCalls = (phase === "open" || phase === "closing") && !streamDelay.isClosed(event);
  return { event, phase, closeWarning, takesCalls };
}
