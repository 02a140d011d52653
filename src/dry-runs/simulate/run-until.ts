import { sql } from "drizzle-orm";
import { events } from "#db/schema/events.ts";
import { performTransition } from "#src/show/timers/perform-transition.ts";
import { sweepOnce } from "#src/show/timers/sweep.ts";
import { nameOf, type Show } from "./show.ts";

const SWEEP_EVERY_MS = 1_000;
const LATE_AFTER_MS = 1_000;

/**
 * Lets time pass until a moment: the queue delivers its alarms, and the sweep runs once a second for late transitions. Sweeps
 * that would find nothing are skipped.
 */
export async function runUntil(show: Show, untilMs: number): Promise<void> {
  const { clock, queue } = show;
  for (;;) {
    const alarmMs = queue.nextMs() ?? Number.POSITIVE_INFINITY;
    const sweepMs = await nextSweepMs(show);
    const nextMs = Math.max(clock.nowMs(), Math.min(alarmMs, sweepMs));
    if (nextMs > untilMs) break;
    await clock.setMs(nextMs);
    if (alarmMs <= sweepMs) await deliverAlarm(show);
    else await sweep(show);
  }
  if (untilMs > clock.nowMs()) await clock.setMs(untilMs);
}

async function deliverAlarm(show: Show): Promise<void> {
  const next = show.queue.takeNext();
  if (next === null) return;
  const { alarm } = next;
  const earlyMs = await performTransition(show.deps, alarm);
  const name = nameOf(show, alarm.eventId);
  show.note(`alarm: ${alarm.transition} ${name} v${alarm.version}, early by ${earlyMs}`);
  if (earlyMs > 0) show.queue.reschedule(alarm, earlyMs);
}

/** The moment of the first sweep that finds a late transition. */
async function nextSweepMs({ deps, clock, sweepPhaseMs }: Show): Promise<number> {
  const [row] = await deps.pool.db
    .select({ dueMs: sql<number | null>`(extract(epoch FROM min(${events.dueAt})) * 1000)::float8` })
    .from(events)
    .where(sql`${events.dueAt} IS NOT NULL`);
  if (row?.dueMs == null) return Number.POSITIVE_INFINITY;
  const lateMs = Math.max(Math.floor(row.dueMs) + LATE_AFTER_MS + 1, clock.nowMs());
  return Math.ceil((lateMs - sweepPhaseMs) / SWEEP_EVERY_MS) * SWEEP_EVERY_MS + sweepPhaseMs;
}

/** Runs a sweep and checks that none of the transitions that were late before is left. */
async function sweep(show: Show): Promise<void> {
  const before = await listLate(show);
  await sweepOnce(show.deps, (error) => {
    throw new Error("the sweep failed", { cause: error });
  });
  const after = new Set(await listLate(show));
  const left = before.filter((late) => after.has(late));
  show.note(`sweep: ${before.length} late`);
  if (left.length > 0) throw new Error(`the sweep did not perform: ${left.join(", ")}`);
}

async function listLate({ deps }: Show): Promise<string[]> {
  const rows = await deps.pool.db
    .select({ id: events.id, what: events.nextTransition, version: events.scheduleVersion })
    .from(events)
    .where(sql`${events.dueAt} < game_now() - interval '1 second'`);
  return rows.map(({ id, what, version }) => `${what} of row ${id} v${version}`);
}
