/** What an event says about its place in a session. */
export type PlannedEvent = {
  id: number;
  startMode: "after_previous" | "offset";
  /** After the session's start, or after the planned close of the event before it. */
  offsetSeconds: number;
  durationSeconds: number;
};

/**
 * When every event of a session opens, in seconds after the session's start.
 * @param events in the order of their positions; the first has nothing before it but the start itself.
 */
export function planEvents(events: readonly PlannedEvent[]): { id: number; opensInSeconds: number }[] {
  let previousClosesIn = 0;
  return events.map(({ id, startMode, offsetSeconds, durationSeconds }) => {
    const opensInSeconds = startMode === "offset" ? offsetSeconds : previousClosesIn + offsetSeconds;
    previousClosesIn = opensInSeconds + durationSeconds;
    return { id, opensInSeconds };
  });
}
