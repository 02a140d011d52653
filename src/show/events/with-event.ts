import { eq, sql } from "drizzle-orm";
import { inTransaction, type Transaction } from "#db/client.ts";
import { checkFence } from "#db/ledger/check-fence.ts";
import { gateEvent } from "#db/ledger/gate-event.ts";
import { semaphorePerOwner } from "#db/pool/semaphore.ts";
import { events } from "#db/schema/events.ts";
import { sessions } from "#db/schema/sessions.ts";
import { type Actor, type AuditEntry, writeAudit } from "#src/base/audit.ts";
import type { Deps } from "#src/base/deps.ts";
import { type LockTimeout, withLock } from "#src/base/lock.ts";
import { notFound } from "#src/base/refusal.ts";
import { type IfVersion, requireVersion } from "#src/http/if-match.ts";

/**
 * Limits how many single changes of events hold a connection at once. The limit is below the size of the connection pool, so
 * that requests still get a connection when many events change. Batched changes (with-events.ts) need one connection each
 * and are not limited.
 */
const semaphoreOf = semaphorePerOwner(6);

export type EventRow = typeof events.$inferSelect;

/** The event that a verb changes, and by whom. */
export type EventCommand = IfVersion & {
  eventId: number;
  /** Null: a timer. */
  actor: Actor;
  /** Given by timers: the schedule version that they were set for. Any other version changes nothing. */
  version?: number;
  /** How long to wait for the event's lock; the sweep waits less than the default. */
  lockTimeout?: LockTimeout | undefined;
  /** It changes the running order or what an event waits for: nothing else of the session changes meanwhile. */
  changesOrder?: boolean;
};

/** An event whose session, gate and row are locked until the transaction ends. */
export type LockedEvent = {
  event: EventRow;
  session: typeof sessions.$inferSelect | null;
  actor: Actor;
  /** True when a timer changes it, false for a person. */
  timed: boolean;
  /** The time on the database's clock, read after the gate was taken: ISO 8601 with microseconds, in UTC. */
  at: string;
  /** Other events that got other times by this change; see plan-waiting.ts. Their alarms are set after the commit. */
  planned: EventRow[];
  /** The token of the event's Redis lock, where its move stores it (with-events.ts). Elsewhere `checkFence` does. */
  fence?: number | null;
};

/**
 * The time on the session's clock, ISO 8601. The clock stops while the session is paused. Schedules use this clock, and a
 * resume shifts them by the length of the pause.
 */
export function sessionTime({ session, at }: Pick<LockedEvent, "session" | "at">): string {
  return session?.pausedAt?.toISOString() ?? at;
}

/** True while a session is running or paused. Only then do its events have planned times. */
export function isLive(session: LockedEvent["session"]): session is typeof sessions.$inferSelect {
  return session?.state === "running" || session?.state === "paused";
}

/** Writes who did what to an event, in the transaction of the change. */
export function auditEvent(
  tx: Transaction,
  { event: { id, sessionId }, actor }: Pick<LockedEvent, "event" | "actor">,
  entry: Omit<AuditEntry, "actor" | "subject" | "sessionId">,
): Promise<void> {
  return writeAudit(tx, { actor, subject: { type: "event", id }, sessionId, ...entry });
}

/** The database's clock as text that Postgres and `new Date` can both read. It keeps the microseconds. */
export const clockText = sql<string>`to_char(game_now() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;

/**
 * Runs one change of an event, under its Redis lock and in one transaction that locks, in this order, its session's row, its
 * gate and its row. After the commit it notifies the relay and sets the next alarm.
 * @returns the changed event; unchanged if a timer came with an old schedule version.
 * @throws Refusal 404 for an unknown event, 409 while another request changes it.
 */
export async function withEvent(
  deps: Deps,
  command: EventCommand,
  change: (tx: Transaction, locked: LockedEvent) => Promise<EventRow>,
): Promise<EventRow> {
  const perform = (fence: number | null) =>
    semaphoreOf(deps.pool).run(() =>
      inTransaction(deps.pool.db, async (tx) => {
        const locked = await lockEvent(tx, command);
        if (isOutdated(command, locked.event)) return locked;
        if (fence !== null) await checkFence(tx, { kind: "event", id: command.eventId, token: fence });
        return { ...locked, event: await change(tx, locked) };
      }),
    );
  const { event, planned, at } = await withLock(
    deps,
    `event:${command.eventId}`,
    perform,
    command.lockTimeout,
  );
  deps.notifyRelay();
  setAlarms(deps, [event, ...planned], at);
  return event;
}

/**
 * Locks an event within a transaction: its session's row, its gate and its row, in this order.
 * @throws Refusal 404 for an unknown event; 409 if the change is based on another version of it.
 */
export async function lockEvent(
  tx: Transaction,
  { eventId, actor, version, ifVersion, changesOrder = false }: EventCommand,
): Promise<LockedEvent> {
  const [session] = await tx
    .select()
    .from(sessions)
    .where(eq(sessions.id, sql`(SELECT session_id FROM events WHERE id = ${eventId})`))
    .for(changesOrder ? "no key update" : "share");
  await gateEvent(tx, eventId);
  const [row] = await tx
    .select({ event: events, at: clockText })
    .from(events)
    .where(eq(events.id, eventId))
    .for("no key update");
  if (row === undefined || row.event.state === "soft_destroyed") throw notFound();
  requireVersion({ ifVersion }, row.event);
  return { ...row, session: session ?? null, actor, timed: version !== undefined, planned: [] };
}

/** True for a timer that was set for another schedule version. */
export function isOutdated({ version }: Pick<EventCommand, "version">, event: EventRow): boolean {
  return version !== undefined && version !== event.scheduleVersion;
}

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
