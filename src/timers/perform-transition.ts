import { sql } from "drizzle-orm";
import { anyOf } from "#db/any-of.ts";
import { events } from "#db/schema/events.ts";
import type { Alarm } from "#jobs/queues.ts";
import { createBatcher } from "#src/base/batcher.ts";
import type { Deps } from "#src/base/deps.ts";
import type { LockTimeout } from "#src/base/lock.ts";
import { closeEvent } from "#src/events/close-event.ts";
import { openEvent } from "#src/events/open-event.ts";
import { publishEvent } from "#src/events/publish-event.ts";
import { resolveEvent } from "#src/events/resolve-event.ts";
import type { EventRow } from "#src/events/with-event.ts";
import { autoResult } from "./auto-result.ts";

/** An alarm that is early by no more than this waits here; an earlier one goes back to sleep. */
const WAIT_HERE_MS = 50;
const UNRESOLVED_REASON = "Nobody resolved it in time.";
/** Alarms that ring while the database is asked for others are looked up together. */
const LOOKED_UP_AT_ONCE_MAX = 256;

/** What an event says of its own schedule. */
type Schedule = Pick<EventRow, "id" | "round" | "autoResult" | "nextTransition" | "scheduleVersion"> & {
  /** Null while the session is paused: then nothing is due. */
  earlyMs: number | null;
};

/**
 * Does what an alarm or the sweep came for, by the same verb as an admin's button. An alarm of an older schedule does
 * nothing; delivering one twice changes nothing.
 * @param patience for a lock that somebody else holds.
 * @returns how many milliseconds it came too early; 0 when there is nothing left to do.
 */
export async function performTransition(deps: Deps, alarm: Alarm, patience?: LockTimeout): Promise<number> {
  const due = await findSchedule(deps, alarm.eventId);
  if (due === null || due.scheduleVersion !== alarm.version) return 0;
  if (due.nextTransition !== alarm.transition || due.earlyMs === null) return 0;
  if (due.earlyMs > WAIT_HERE_MS) return Math.ceil(due.earlyMs);
  // Not before its moment: until then the clock accepts calls.
  if (due.earlyMs > 0) await Bun.sleep(Math.ceil(due.earlyMs) + 1);
  await perform(deps, { ...alarm, patience }, due);
  return 0;
}

const findSchedule = createBatcher(LOOKED_UP_AT_ONCE_MAX, findSchedules);

async function findSchedules({ pool }: Deps, eventIds: readonly number[]): Promise<(Schedule | null)[]> {
  const rows = await pool.db
    .select({
      id: events.id,
      round: events.round,
      autoResult: events.autoResult,
      nextTransition: events.nextTransition,
      scheduleVersion: events.scheduleVersion,
      earlyMs: sql<number | null>`(extract(epoch FROM ${events.dueAt} - game_now()) * 1000)::float8`,
    })
    .from(events)
    .where(anyOf(events.id, eventIds));
  const byId = new Map(rows.map((row) => [row.id, row]));
  return eventIds.map((id) => byId.get(id) ?? null);
}

function perform(
  deps: Deps,
  { transition, ...scheduled }: Alarm & { patience: LockTimeout | undefined },
  due: Schedule,
): Promise<EventRow> {
  const order = { ...scheduled, actor: null };
  switch (transition) {
    case "publish_event":
      return publishEvent(deps, order);
    case "open_event":
      return openEvent(deps, order);
    case "close_event":
      return closeEvent(deps, order);
    case "resolve":
      return resolveEvent(deps, {
        ...order,
        result: autoResult(due, deps.env.secretKey),
        reason: due.autoResult === null ? UNRESOLVED_REASON : null,
      });
  }
}
