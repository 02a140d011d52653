import type { events } from "#db/schema/events.ts";
import type { Deps } from "#src/base/deps.ts";

type Scheduled = Pick<typeof events.$inferSelect, "id" | "nextTransition" | "dueAt" | "scheduleVersion">;

/**
 * Sets the alarm of every event that has a due time, and does not wait for it: an alarm that Redis did not take is made
 * up for by the sweep.
 * @param at the moment on the database's clock, ISO 8601, just read.
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
    deps.queues.setAlarm(alarm, dueAt.getTime() - nowMs).catch((error: unknown) => {
      deps.log.debug({ alarm, err: error }, "An alarm was not set; the sweep will see to it");
    });
  }
}
