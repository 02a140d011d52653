import { eq, sql } from "drizzle-orm";
import { inTransaction, type Transaction } from "#db/client.ts";
import { checkFence } from "#db/ledger/check-fence.ts";
import { gateEvent } from "#db/ledger/gate-event.ts";
import { events } from "#db/schema/events.ts";
import { sessions } from "#db/schema/sessions.ts";
import type { Actor } from "#src/base/audit.ts";
import type { Deps } from "#src/base/deps.ts";
import { type LockTimeout, withLock } from "#src/base/lock.ts";
import { notFound } from "#src/base/refusal.ts";
import { createSemaphore } from "#src/base/semaphore.ts";
import { type Based, requireVersion } from "#src/http/if-match.ts";
import { setAlarms } from "./set-alarms.ts";

/** Below the size of the pool, so that requests still find a connection when many events change at once. */
const inTurn = createSemaphore(6);

export type EventRow = typeof events.$inferSelect;

/** What every event verb is asked. */
export type EventOrder = Based & {
  eventId: number;
  /** Null: a timer. */
  actor: Actor;
  /** Given by timers: the schedule version that they were set for. With any other version nothing happens. */
  version?: number;
  /** For a lock that somebody else holds; the sweep has less than others. */
  patience?: LockTimeout | undefined;
};

/** An event whose session, gate and row are locked until the transaction ends. */
export type LockedEvent = {
  event: EventRow;
  session: typeof sessions.$inferSelect | null;
  actor: Actor;
  /** Moved by its schedule and not by hand. */
  timed: boolean;
  /** The moment on the database's clock, read once the gate was held: ISO 8601 with microseconds, in UTC. */
  at: string;
};

/**
 * The moment on the show's own clock, ISO 8601: it stands still while the session is paused. Whatever is planned is planned
 * by it, and moves along when the session resumes.
 */
export function showTime({ session, at }: Pick<LockedEvent, "session" | "at">): string {
  return session?.pausedAt?.toISOString() ?? at;
}

/** True while a session has a running order: its events have planned moments. */
export function isLive(session: LockedEvent["session"]): session is typeof sessions.$inferSelect {
  return session?.state === "running" || session?.state === "paused";
}

/** The database's clock as text that both Postgres and `new Date` read without losing microseconds. */
export const clockText = sql<string>`to_char(game_now() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;

/**
 * Runs one change of an event: under its Redis lock and in one transaction that holds, in this order, its session's row,
 * its gate and its row. After the commit it tells the world and sets the next alarm.
 * @returns the event as it stands afterwards; unchanged where a timer came with an old version.
 * @throws Refusal 404 for an event that is not there, 409 when it is being changed by somebody else.
 */
export async function withEvent(
  deps: Deps,
  order: EventOrder,
  change: (tx: Transaction, locked: LockedEvent) => Promise<EventRow>,
): Promise<EventRow> {
  const perform = (fence: number | null) =>
    inTurn(deps.pool, () =>
      inTransaction(deps.pool.db, async (tx) => {
        const locked = await lockEvent(tx, order);
        if (isOutdated(order, locked.event)) return locked;
        if (fence !== null) await checkFence(tx, { kind: "event", id: order.eventId, token: fence });
        return { event: await change(tx, locked), at: locked.at };
      }),
    );
  const { event, at } = await withLock(deps, `event:${order.eventId}`, perform, order.patience);
  deps.notifyRelay();
  setAlarms(deps, [event], at);
  return event;
}

/**
 * Locks an event within a transaction: its session's row, its gate and its row, in this order.
 * @throws Refusal 404 for an event that is not there; 409 where the change is based on another version of it.
 */
export async function lockEvent(
  tx: Transaction,
  { eventId, actor, version, ifVersion }: EventOrder,
): Promise<LockedEvent> {
  const [session] = await tx
    .select()
    .from(sessions)
    .where(eq(sessions.id, sql`(SELECT session_id FROM events WHERE id = ${eventId})`))
    .for("share");
  await gateEvent(tx, eventId);
  const [row] = await tx
    .select({ event: events, at: clockText })
    .from(events)
    .where(eq(events.id, eventId))
    .for("no key update");
  if (row === undefined || row.event.state === "soft_destroyed") throw notFound();
  requireVersion({ ifVersion }, row.event);
  return { event: row.event, at: row.at, session: session ?? null, actor, timed: version !== undefined };
}

/** True for a timer that was set for another schedule. */
export function isOutdated({ version }: Pick<EventOrder, "version">, event: EventRow): boolean {
  return version !== undefined && version !== event.scheduleVersion;
}
