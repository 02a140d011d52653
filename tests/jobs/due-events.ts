import { eq, sql } from "drizzle-orm";
import { events } from "#db/schema/events.ts";
import type { Deps } from "#src/base/deps.ts";
import type { Alarm } from "#src/base/queues.ts";
import type { EventRow } from "#src/show/events/with-event.ts";
import { buildEvent, only } from "#tests/support/build.ts";
import { setRows } from "#tests/support/rows.ts";

/** An open event that is due to close in `dueInMs` (below 0: it should have closed already). No alarm is set. */
export async function buildDueEvent(
  deps: Deps,
  dueInMs: number,
  terms: Parameters<typeof buildEvent>[2] = {},
): Promise<EventRow> {
  const { id } = await buildEvent(deps, "open", terms);
  // A new version, so that the alarm that was set when it opened has no effect.
  await setRows(deps.pool.db, events, id, {
    scheduleVersion: sql`${events.scheduleVersion} + 1`,
  });
  return delayDue(deps, id, dueInMs);
}

/** Moves the close and the due time of an open event, without a new version, as if its alarm had been set too early. */
export async function delayDue({ pool }: Deps, eventId: number, dueInMs: number): Promise<EventRow> {
  const due = sql`game_now() + make_interval(secs => ${dueInMs / 1_000}::float8)`;
  return only(
    await pool.db
      .update(events)
      .set({ opensAt: sql`${due} - interval '30 seconds'`, closesAt: due, dueAt: due })
      .where(eq(events.id, eventId))
      .returning(),
  );
}

/** The alarm that belongs to the schedule of an event. */
export function alarmOf(event: EventRow): Alarm {
  if (event.nextTransition === null) throw new Error(`event ${event.id} has no next transition`);
  return { eventId: event.id, transition: event.nextTransition, version: event.scheduleVersion };
}
