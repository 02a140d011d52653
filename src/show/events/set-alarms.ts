import type { events } from "#db/schema/events.ts";
import type { Deps } from "#src/base/deps.ts";

/** A due time is read in whole milliseconds, without the rest: an alarm that comes before it would have to wait once more. */
export const REST_MS = 1;

type Scheduled = Pick<typeof events.$inferSelect, "id" | "nextTransition" | "dueAt" | "scheduleVersion">;

/**
 * Sets the alarm of every event that has a due time, without waiting. If Redis does not accept an alarm, the sweep performs
 * the transition instead.
 * @param at the current time on the database's clock, ISO 8601.
 */
export function setAlarms(
  deps: Pick<Deps, "queues" | "log">,
  scheduled: readonly Scheduled[],
  at: string,
): void {
  const nowMs = Date.parse(at);
  for (const { id, nextTransition, dueAt, scheduleVersion } of scheduled) {
    if (nextTransition === null || dueAt === null) continue;
    const alarm = { eventId: id, transition: nextTransition, version: scheduleVersion };
    deps.queues.setAlarm(alarm, dueAt.getTime() + REST_MS - nowMs).catch((error: unknown) => {
      deps.log.debug({ alarm, err: error }, "Could not set an alarm; the sweep will perform the transition");
    });
  }
}
