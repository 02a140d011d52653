import { asc, gt, sql } from "drizzle-orm";
import { events } from "#db/schema/events.ts";
import type { Deps } from "#src/base/deps.ts";
import { setAlarms } from "#src/show/events/set-alarms.ts";
import { clockText } from "#src/show/events/with-event.ts";

const REARMED_AT_ONCE_MAX = 1_000;

/**
 * Sets the alarms of the next due transitions again, because Redis may have lost some. An alarm that still exists does not
 * change. What is late already is left to the sweep, which tries it each second.
 */
export async function rearmAlarms(deps: Pick<Deps, "pool" | "queues" | "log">): Promise<void> {
  const scheduled = await deps.pool.db
    .select({
      id: events.id,
      nextTransition: events.nextTransition,
      dueAt: events.dueAt,
      scheduleVersion: events.scheduleVersion,
      at: clockText,
    })
    .from(events)
    .where(gt(events.dueAt, sql`game_now()`))
    .orderBy(asc(events.dueAt))
    .limit(REARMED_AT_ONCE_MAX);
  const [first] = scheduled;
  if (first !== undefined) setAlarms(deps, scheduled, first.at);
}
