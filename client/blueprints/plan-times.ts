import type { BlueprintEventView } from "#src/blueprints/schemas.ts";

export type Planned = Pick<BlueprintEventView, "startMode" | "offsetSeconds" | "durationSeconds">;
/** Seconds after the start of the session. */
export type PlannedTimes = { opensAtSeconds: number; closesAtSeconds: number };

const MINUTE = 60;
const HOUR = 3_600;

/**
 * When each event of a blueprint opens and closes by the plan.
 * @param events in their order; the first one is planned relative to the session's start.
 */
export function planTimes(events: readonly Planned[]): PlannedTimes[] {
  let previousClosesAt = 0;
  return events.map(({ startMode, offsetSeconds, durationSeconds }) => {
    const opensAtSeconds = startMode === "offset" ? offsetSeconds : previousClosesAt + offsetSeconds;
    previousClosesAt = opensAtSeconds + durationSeconds;
    return { opensAtSeconds, closesAtSeconds: previousClosesAt };
  });
}

/** The latest close, in seconds after the start. Not always that of the last event in the order. */
export function plannedSeconds(events: readonly Planned[]): number {
  return Math.max(0, ...planTimes(events).map(({ closesAtSeconds }) => closesAtSeconds));
}

/** "0:30", "14:00", "1:02:00" */
export function formatLength(seconds: number): string {
  const rest = Math.round(seconds);
  const two = (part: number) => String(part).padStart(2, "0");
  const minutes = Math.floor((rest % HOUR) / MINUTE);
  const ofMinute = two(rest % MINUTE);
  return rest < HOUR ? `${minutes}:${ofMinute}` : `${Math.floor(rest / HOUR)}:${two(minutes)}:${ofMinute}`;
}

/** "at 2:00", "after 3", "0:10 after 3": when the event at a position opens. */
export function startText({ startMode, offsetSeconds }: Planned, position: number): string {
  const length = formatLength(offsetSeconds);
  if (startMode === "offset" || position === 1) return `at ${length}`;
  return offsetSeconds === 0 ? `after ${position - 1}` : `${length} after ${position - 1}`;
}
