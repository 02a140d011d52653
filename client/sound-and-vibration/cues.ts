import { isRight, viewerCallsOn } from "../calls/viewer-calls.ts";
import type { View } from "../events/view.ts";

/** What the player hears and feels. */
export type Cue = "opens" | "placed" | "won" | "lost" | "tick";

type Seen = Pick<View, "state" | "event" | "phase">;

/** What the page shows, as far as it is heard. */
export type Moment = {
  sessionId: number;
  /** The event that takes calls, with its round; null for none. */
  open: string | null;
  /** The viewer's newest call on it. */
  latestCallId: number;
  /** The events that the viewer was right about, or has lost, by id. */
  outcomes: ReadonlyMap<number, "won" | "lost">;
};

export function momentOf({ state, event, phase }: Seen): Moment {
  const isOpen = event !== null && (phase === "open" || phase === "closing");
  const outcomes = state.events.flatMap((each): (readonly [number, "won" | "lost"])[] => {
    const outcome = each.state === "resolved" ? viewerCallsOn(each).outcome : null;
    if (isRight(outcome)) return [[each.id, "won"]];
    return outcome?.kind === "lost" ? [[each.id, "lost"]] : [];
  });
  return {
    sessionId: state.session.id,
    open: isOpen ? `${event.id} ${event.openedAt}` : null,
    latestCallId: isOpen ? (event.myCalls.at(-1)?.id ?? 0) : 0,
    outcomes: new Map(outcomes),
  };
}

/**
 * What is new between two moments. What a page shows when it opens is not new: nothing is heard again after a reload.
 * @param before null for the first moment.
 */
export function cuesBetween(before: Moment | null, after: Moment): Cue[] {
  if (before === null || before.sessionId !== after.sessionId) return [];
  const cues: Cue[] = [];
  const isSameAction = before.open === after.open;
  if (after.open !== null && !isSameAction) cues.push("opens");
  if (isSameAction && after.latestCallId > before.latestCallId) cues.push("placed");
  const changed = [...after.outcomes].filter(([id, kind]) => before.outcomes.get(id) !== kind);
  if (changed.length > 0) cues.push(changed.some(([, kind]) => kind === "won") ? "won" : "lost");
  return cues;
}
