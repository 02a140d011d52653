import { createHmac } from "node:crypto";
import { sql } from "drizzle-orm";
import { anyOf } from "#db/any-of.ts";
import type { EventResult } from "#db/lists/events.ts";
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

/** An alarm that is early by at most this waits here; an earlier one is set again. */
const EARLY_WAIT_MAX_MS = 50;
const UNRESOLVED_REASON = "Nobody resolved it in time.";
/** The most schedules that one query reads. */
const BATCH_SIZE_MAX = 256;

/** The schedule of an event. */
type Schedule = Pick<EventRow, "id" | "round" | "autoResult" | "nextTransition" | "scheduleVersion"> & {
  /** Null while the session is paused: then nothing is due. */
  earlyMs: number | null;
};

/**
 * Performs the transition of an alarm, or one that the sweep found, by the same verb as an admin's request. An alarm of an
 * older schedule version changes nothing, and neither does a second delivery.
 * @param lockTimeout how long to wait for the event's lock.
 * @returns by how many milliseconds the alarm was early; 0 if nothing is left to do.
 */
export async function performTransition(
  deps: Deps,
  alarm: Alarm,
  lockTimeout?: LockTimeout,
): Promise<number> {
  const due = await findSchedule(deps, alarm.eventId);
  if (due === null || due.scheduleVersion !== alarm.version) return 0;
  if (due.nextTransition !== alarm.transition || due.earlyMs === null) return 0;
  if (due.earlyMs > EARLY_WAIT_MAX_MS) return Math.ceil(due.earlyMs);
  // Not before the due time: until then the clock accepts calls.
  if (due.earlyMs > 0) await Bun.sleep(Math.ceil(due.earlyMs) + 1);
  await perform(deps, { ...alarm, lockTimeout }, due);
  return 0;
}

const findSchedule = createBatcher(BATCH_SIZE_MAX, findSchedules);

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
  { transition, ...scheduled }: Alarm & { lockTimeout: LockTimeout | undefined },
  due: Schedule,
): Promise<EventRow> {
  const command = { ...scheduled, actor: null };
  switch (transition) {
    case "publish_event":
      return publishEvent(deps, command);
    case "open_event":
      return openEvent(deps, command);
    case "close_event":
      return closeEvent(deps, command);
    case "resolve":
      return resolveEvent(deps, {
        ...command,
        result: autoResult(due, deps.env.secretKey),
        reason: due.autoResult === null ? UNRESOLVED_REASON : null,
      });
  }
}

/**
 * The result of an event that resolves itself. A random result depends only on the event, its round and the installation's
 * secret: a timer that runs twice decides the same, and nobody can predict it.
 * @returns "void" for an event without a planned result, which nobody has resolved in time: everybody is refunded.
 */
function autoResult(
  { id, round, autoResult: planned }: Pick<EventRow, "id" | "round" | "autoResult">,
  secret: string,
): EventResult {
  if (planned === null) return "void";
  if (planned !== "random") return planned;
  const [byte = 0] = createHmac("sha256", secret).update(`auto-result ${id} ${round}`).digest();
  return byte % 2 === 0 ? "true" : "false";
}
