/** The fields of an event that determine when it opens. */
export type PlannedEvent = {
  id: number;
  startMode: "after_previous" | "offset";
  /** After the session's start, or after the planned close of the previous event. */
  offsetSeconds: number;
  durationSeconds: number;
};

/**
 * When each event of a session opens, in seconds after the session's start.
 * @param events in the order of their positions; for the first, "after the previous event" is after the start.
 */
export function planEvents(events: readonly PlannedEvent[]): { id: number; opensInSeconds: number }[] {
  let previousClosesIn = 0;
  return events.map(({ id, startMode, offsetSeconds, durationSeconds }) => {
    const opensInSeconds = startMode === "offset" ? offsetSeconds : previousClosesIn + offsetSeconds;
    previousClosesIn = opensInSeconds + durationSeconds;
    return { id, opensInSeconds };
  });
}
