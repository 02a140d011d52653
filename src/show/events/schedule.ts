import { type SQL, sql } from "drizzle-orm";
import * as v from "valibot";
import { events } from "#db/schema/events.ts";
import { SETTLEMENT_DELAY_DEFAULT_SECONDS } from "./contract.ts";
import type { LockedEvent } from "./with-event.ts";

/** The settings of a session that decide on times of its events. An invalid value counts as not set. */
const settings = v.object({
  leadSeconds: v.fallback(v.number(), 10),
  settlementDelaySeconds: v.fallback(v.number(), SETTLEMENT_DELAY_DEFAULT_SECONDS),
  voidUncalled: v.fallback(v.boolean(), false),
});

/** Reads these settings of an event's session; the defaults for an event without a session. */
export function readSettings(session: { settings: unknown } | null): v.InferOutput<typeof settings> {
  return v.parse(settings, { ...v.parse(v.fallback(v.looseObject({}), {}), session?.settings) });
}

/** The largest value of `events.remaining_ms`: about 24 days. */
export const REMAINING_MS_MAX = 2_147_483_647;
/** A closed event that nobody resolves is voided and refunded this long after its session has stopped. */
const VOID_AFTER_HOURS = 24;

/** When such an event is voided, as SQL. `at` is the time on the database's clock, ISO 8601. */
export function voidAfter(at: string): SQL {
  return sql`${at}::timestamptz + make_interval(hours => ${VOID_AFTER_HOURS}::int)`;
}

/**
 * The milliseconds between a moment and a due time, as SQL: below 0 if overdue, NULL without a due time. Rounded up, so that
 * nothing happens early.
 */
export function remainingMs(dueAt: SQL, at: string): SQL<number | null> {
  const left = sql`ceil(extract(epoch FROM ${dueAt} - ${at}::timestamptz) * 1000)`;
  return sql`CASE WHEN ${dueAt} IS NOT NULL THEN least(${REMAINING_MS_MAX}::numeric, ${left})::int END`;
}

/** The columns of a due time. While the session is paused nothing is due; the remaining time is stored instead. */
export function scheduleOf({ session }: Pick<LockedEvent, "session">, dueAt: SQL | null) {
  if (dueAt === null || session?.pausedAt == null) return { dueAt, remainingMs: null };
  return { dueAt: null, remainingMs: remainingMs(dueAt, session.pausedAt.toISOString()) };
}

/** The columns that every change of an event sets: new versions of its schedule and of the event, and the time. */
export const nextRevision = (at: string) => ({
  scheduleVersion: sql`${events.scheduleVersion} + 1`,
  version: sql`${events.version} + 1`,
  updatedAt: sql`${at}::timestamptz`,
});
