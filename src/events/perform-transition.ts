import { eq, sql } from "drizzle-orm";
import { events } from "#db/schema/events.ts";
import type { Alarm } from "#jobs/queues.ts";
import type { Deps } from "#src/deps.ts";
import type { Patience } from "#src/lock.ts";
import { autoResult } from "./auto-result.ts";
import { closeEvent } from "./close-event.ts";
import { openEvent } from "./open-event.ts";
import { publishEvent } from "./publish-event.ts";
import { resolveEvent } from "./resolve-event.ts";
import type { EventRow } from "./with-event.ts";

/** An alarm that is early by no more than this waits here; an earlier one goes back to sleep. */
const WAIT_HERE_MS = 50;
const UNRESOLVED_REASON = "Nobody resolved it in time.";

/**
 * Does what an alarm or the sweep came for, by the same verb as an admin's button. An alarm of an older schedule does
 * nothing; delivering one twice changes nothing.
 * @param patience for a lock that somebody else holds.
 * @returns how many milliseconds it came too early; 0 when there is nothing left to do.
 */
export async function performTransition(deps: Deps, alarm: Alarm, patience?: Patience): Promise<number> {
  const [due] = await deps.pool.db
    .select({
      event: events,
      earlyMs: sql<number | null>`(extract(epoch FROM ${events.dueAt} - game_now()) * 1000)::float8`,
    })
    .from(events)
    .where(eq(events.id, alarm.eventId));
  if (due === undefined || due.event.scheduleVersion !== alarm.version) return 0;
  if (due.event.nextTransition !== alarm.transition) return 0;
  // Nothing is due while the session is paused.
  if (due.earlyMs === null) return 0;
  if (due.earlyMs > WAIT_HERE_MS) return Math.ceil(due.earlyMs);
  // Not before its moment: until then the clock accepts calls.
  if (due.earlyMs > 0) await Bun.sleep(Math.ceil(due.earlyMs) + 1);
  await perform(deps, { ...alarm, patience }, due.event);
  return 0;
}

function perform(
  deps: Deps,
  { transition, ...scheduled }: Alarm & { patience: Patience | undefined },
  event: EventRow,
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
        result: autoResult(event, deps.env.secretKey),
        reason: event.autoResult === null ? UNRESOLVED_REASON : null,
      });
  }
}
