import type { BlueprintEventView } from "#src/show/blueprints/schemas.ts";

export type Planned = Pick<BlueprintEventView, "startMode" | "offsetSeconds" | "durationSeconds">;
/** Seconds after the start of the session. With `atLeast` these are the earliest: the event waits for a result or for the host. */
export type PlannedTimes = { opensAtSeconds: number; closesAtSeconds: number; atLeast: boolean };

const MINUTE = 60;
const HOUR = 3_600;

/**
 * When each event of a blueprint opens and closes by the plan, as if results and the host took no time.
 * @param events in their order; the first one is planned relative to the session's start.
 */
export function planTimes(events: readonly Planned[]): PlannedTimes[] {
  let previous: PlannedTimes = { opensAtSeconds: 0, closesAtSeconds: 0, atLeast: false };
  return events.map((event, index) => {
    const { startMode, durationSeconds } = event;
    const waits = startMode === "by_hand" || (startMode === "after_result" && index > 0);
    const atLeast = waits || (startMode === "after_previous" && previous.atLeast);
    const opensAtSeconds = (startMode === "offset" ? 0 : previous.closesAtSeconds) + waitOf(event);
    previous = { opensAtSeconds, closesAtSeconds: opensAtSeconds + durationSeconds, atLeast };
    return previous;
  });
}

function waitOf({ startMode, offsetSeconds }: Planned): number {
  return startMode === "by_hand" ? 0 : offsetSeconds;
}

/** The latest close, in seconds after the start. Not always that of the last event in the order. */
export function plannedSeconds(events: readonly Planned[]): number {
  return Math.max(0, ...planTimes(events).map(({ closesAtSeconds }) => closesAtSeconds));
}

/** "14:00", or "at least 14:00" if an event waits for a result or for the host. */
export function lengthText(events: readonly Planned[]): string {
  const length = formatLength(plannedSeconds(events));
  return planTimes(events).some(({ atLeast }) => atLeast) ? `at least ${length}` : length;
}

/** "0:30", "14:00", "1:02:00" */
export function formatLength(seconds: number): string {
  const rest = Math.round(seconds);
  const two = (part: number) => String(part).padStart(2, "0");
  const minutes = Math.floor((rest % HOUR) / MINUTE);
  const ofMinute = two(rest % MINUTE);
  return rest < HOUR ? `${minutes}:${ofMinute}` : `${Math.floor(rest / HOUR)}:${two(minutes)}:${ofMinute}`;
}

/** The start of an event that the host starts. */
export const BY_HAND = "by hand";

/** "at 2:00", "after 3", "0:10 after 3", "0:10 after result of 3", "by hand": when the event at a position opens. */
export function startText(
  { startMode, offsetSeconds }: Omit<Planned, "durationSeconds">,
  position: number,
): string {
  const length = formatLength(offsetSeconds);
  if (startMode === "by_hand") return BY_HAND;
  if (startMode === "offset" || position === 1) return `at ${length}`;
  const what = startMode === "after_result" ? `after result of ${position - 1}` : `after ${position - 1}`;
  return offsetSeconds === 0 ? what : `${length} ${what}`;
}
