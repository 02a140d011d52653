import type { StartMode } from "#db/lists/events.ts";
import { isBesideOrder } from "#db/lists/limits.ts";

/** The fields of an event that determine when it opens. */
export type PlannedEvent = {
  id: number;
  startMode: StartMode;
  /** After the session's start, or after the planned close or the result of the previous event. */
  offsetSeconds: number;
  durationSeconds: number;
};

/**
 * When each event of a session opens, in seconds after the session's start. Null: that is known later, because it waits for a
 * result, for the host, or for an event that does.
 * @param events in the order of their positions; for the first, "after the previous event" is after the start.
 * @param leadSeconds how long after the start the plan begins.
 */
export function planEvents(
  events: readonly PlannedEvent[],
  leadSeconds: number,
): { id: number; opensInSeconds: number | null }[] {
  let previousEndsIn: number | null = leadSeconds;
  return events.map(({ id, startMode, offsetSeconds, durationSeconds }, index) => {
    const isFirst = index === 0;
    const bases = {
      after_previous: previousEndsIn,
      offset: leadSeconds,
      after_result: isFirst ? leadSeconds : null,
      by_hand: null,
    } satisfies Record<StartMode, number | null>;
    const base = bases[startMode];
    const opensInSeconds = base === null ? null : base + offsetSeconds;
    if (!isBesideOrder({ durationSeconds }))
      previousEndsIn = opensInSeconds === null ? null : opensInSeconds + durationSeconds;
    return { id, opensInSeconds };
  });
}
