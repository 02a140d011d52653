import { and, asc, gt, sql } from "drizzle-orm";
import { events } from "#db/schema/events.ts";
import type { Alarm } from "#jobs/queues.ts";
import type { Deps } from "#src/base/deps.ts";
import { serverNow } from "#src/base/server-clock.ts";
import { attemptTransition } from "./perform-transition.ts";

const READ_EVERY_MS = 1_000;
/** Further than the next two reads, so that one may fail. */
const AHEAD_MS = 2_500;
/** The most alarms that a process knows. The jobs of all others come on their own. */
const KNOWN_MAX = 10_000;

/** An alarm and its due time on the database's clock, in milliseconds since 1970. */
type NearAlarm = { alarm: Alarm; dueMs: number };

/**
 * Performs transitions at their due time without waiting for their jobs: reads the alarms of the next seconds once a second, and keeps them in
 * memory. Nothing depends on it. The row of an event decides; its job and the sweep do what is left, and find nothing to do otherwise.
 * @returns stop: ends it after the transitions that are being performed.
 */
export function startNearAlarms(deps: Deps): { stop: () => Promise<void> } {
  /** The next one is the last. */
  let known: NearAlarm[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  let stopped = false;
  const running = new Set<Promise<void>>();
  const track = (work: Promise<void>) => {
    running.add(work);
    void work.finally(() => running.delete(work));
  };

  const fire = () => {
    const nowMs = serverNow().getTime();
    for (let next = known.at(-1); next !== undefined && next.dueMs <= nowMs; next = known.at(-1)) {
      known.pop();
      track(attemptTransition(deps, next.alarm));
    }
  };
  const wait = () => {
    clearTimeout(timer);
    const next = known.at(-1);
    if (next === undefined || stopped) return;
    const inMs = Math.max(0, Math.ceil(next.dueMs - serverNow().getTime()));
    timer = setTimeout(() => {
      fire();
      wait();
    }, inMs);
  };
  const read = async () => {
    try {
      const next = await listNearAlarms(deps);
      // What has become due during the read is not in it.
      fire();
      known = next.reverse();
    } catch (error) {
      deps.log.debug({ err: error }, "Could not read the next alarms; their jobs will perform them");
    }
    wait();
  };
  const reading = setInterval(() => track(read()), READ_EVERY_MS);
  track(read());
  return {
    stop: async () => {
      stopped = true;
      clearInterval(reading);
      clearTimeout(timer);
      await Promise.all(running);
    },
  };
}

/** The alarms that are due within the next seconds, in this order. */
async function listNearAlarms({ pool }: Deps): Promise<NearAlarm[]> {
  const rows = await pool.db
    .select({
      eventId: events.id,
      transition: events.nextTransition,
      version: events.scheduleVersion,
      dueMs: sql<number>`(extract(epoch FROM ${events.dueAt}) * 1000)::float8`,
    })
    .from(events)
    .where(
      and(
        gt(events.dueAt, sql`game_now()`),
        sql`${events.dueAt} < game_now() + ${AHEAD_MS} * interval '1 millisecond'`,
      ),
    )
    .orderBy(asc(events.dueAt))
    .limit(KNOWN_MAX);
  return rows.flatMap(({ transition, dueMs, ...event }) =>
    transition === null ? [] : [{ alarm: { ...event, transition }, dueMs }],
  );
}
