import { and, eq, isNotNull, or, type SQL, sql } from "drizzle-orm";
import type { Transaction } from "#db/client.ts";
import { checkFence } from "#db/ledger/locks.ts";
import { events } from "#db/schema/events.ts";
import type { Deps } from "#src/base/deps.ts";
import { withLock } from "#src/base/lock.ts";
import { cannotTransitionVia, conflict, notFound } from "#src/base/refusal.ts";
import { allows } from "#src/http/contract.ts";
import { type EventAction, eventActions } from "./contract.ts";
import { runningOrder, unopenedAfter, writeEvents } from "./events-of-session.ts";
import { writeUpdateFacts } from "./move-event.ts";
import { REMAINING_MS_MAX } from "./schedule.ts";
import {
  auditEvent,
  type EventCommand,
  type EventRow,
  isLive,
  type LockedEvent,
  sessionTime,
  withEvent,
} from "./with-event.ts";

/** An action of the running order on an event, with its actor and reason. */
export type ActionCommand = Omit<EventCommand, "version" | "lockTimeout"> & {
  reason?: string | null | undefined;
};

/** The event after an action, the other events that it rescheduled, and the shift: below 0 is earlier. */
export type ActionChange = {
  event: EventRow;
  rescheduled: readonly EventRow[];
  shiftMs: number;
  /** The actor's own wagers that it has released. */
  takenBackCents?: number;
};

/**
 * Runs one action of the running order, under the Redis locks of the session and the event and in one transaction that locks
 * the session's row: nothing else of the session changes meanwhile. Writes an audit line.
 * @throws Refusal 404 for an unknown event; 422 `cannot transition via "Skip"` for an event in another state or a session
 *   that is neither running nor paused; 409 while another request changes the session.
 */
export async function withRunningOrder(
  deps: Deps,
  command: ActionCommand,
  action: EventAction,
  change: (tx: Transaction, locked: LockedEvent) => Promise<ActionChange>,
): Promise<EventRow> {
  const { label } = eventActions[action];
  const sessionId = await findSessionId(deps, command.eventId);
  if (sessionId === null) throw cannotTransitionVia(label, "It belongs to no session.");
  return withLock(deps, `session:${sessionId}`, (fence) =>
    withEvent(deps, { ...command, changesOrder: true }, async (tx, locked) => {
      const { event, session } = locked;
      if (event.sessionId !== sessionId) throw conflict("It has changed its session. Look again.");
      if (fence !== null) await checkFence(tx, { kind: "session", id: sessionId, token: fence });
      if (!isLive(session)) throw cannotTransitionVia(label, "The session is not running.");
      if (!allows(eventActions, action, event.state)) throw cannotTransitionVia(label);
      const changed = await change(tx, locked);
      locked.planned.push(...changed.rescheduled);
      const { shiftMs, rescheduled, takenBackCents = 0 } = changed;
      await auditEvent(tx, locked, {
        action,
        before: { state: event.state },
        after: {
          state: changed.event.state,
          shiftMs,
          moved: rescheduled.length,
          ...(takenBackCents > 0 ? { takenBackCents } : {}),
        },
        reason: command.reason ?? null,
      });
      return changed.event;
    }),
  );
}

async function findSessionId({ pool }: Deps, eventId: number): Promise<number | null> {
  const [row] = await pool.db
    .select({ sessionId: events.sessionId, state: events.state })
    .from(events)
    .where(eq(events.id, eventId));
  if (row === undefined || row.state === "soft_destroyed") throw notFound();
  return row.sessionId;
}

/** When the next timed transition is due, in milliseconds since 1970 on the session's clock; null: none is planned. */
export function dueMsOf({ event, session }: Pick<LockedEvent, "event" | "session">): number | null {
  if (event.dueAt !== null) return event.dueAt.getTime();
  if (event.remainingMs === null || session?.pausedAt == null) return null;
  return session.pausedAt.getTime() + event.remainingMs;
}

/** The shift that moves a future moment to now, in milliseconds, below 0. 0 for a past moment and for none. */
export function untilNowMs(locked: LockedEvent, momentMs: number | null): number {
  if (momentMs === null) return 0;
  return Math.min(0, Date.parse(sessionTime(locked)) - momentMs);
}

/** Shifts the future of one event: its planned moments, and its due or remaining time. */
export async function shiftEvent(tx: Transaction, locked: LockedEvent, shiftMs: number): Promise<EventRow> {
  const [moved] = await shift(tx, { at: locked.at, where: eq(events.id, locked.event.id) }, shiftMs);
  return moved ?? locked.event;
}

/**
 * Shifts every planned event that comes after this one in the running order and has not opened.
 * @returns the shifted events.
 */
export function shiftFollowing(tx: Transaction, locked: LockedEvent, shiftMs: number): Promise<EventRow[]> {
  const where = and(unopenedAfter(locked.event), isNotNull(events.opensAt));
  return shift(tx, { at: locked.at, where }, shiftMs);
}

/**
 * The next event of the running order that has not opened yet; null if there is none.
 * @param options planned: true for only those that are part of the plan: they have an opening time, or wait for it.
 */
export async function findNext(
  tx: Transaction,
  event: EventRow,
  { planned }: { planned: boolean },
): Promise<EventRow | null> {
  const [next] = await tx
    .select()
    .from(events)
    .where(and(unopenedAfter(event), planned ? isPlanned : undefined))
    .orderBy(...runningOrder)
    .limit(1);
  return next ?? null;
}

const isPlanned = or(
  isNotNull(events.opensAt),
  isNotNull(events.nextTransition),
  eq(events.startMode, "by_hand"),
);

async function shift(
  tx: Transaction,
  which: { at: string; where: SQL | undefined },
  shiftMs: number,
): Promise<EventRow[]> {
  if (shiftMs === 0) return [];
  const by = sql`${shiftMs}::float8 * interval '1 millisecond'`;
  const rows = await writeEvents(tx, which, {
    opensAt: sql`CASE WHEN ${events.state} IN ('draft', 'visible') THEN ${events.opensAt} + ${by} ELSE ${events.opensAt} END`,
    closesAt: sql`CASE WHEN ${events.state} = 'closed' THEN ${events.closesAt} ELSE ${events.closesAt} + ${by} END`,
    resolveBy: sql`${events.resolveBy} + ${by}`,
    dueAt: sql`${events.dueAt} + ${by}`,
    remainingMs: sql`CASE WHEN ${events.remainingMs} IS NOT NULL
      THEN least(${REMAINING_MS_MAX}::bigint, ${events.remainingMs}::bigint + ${shiftMs}::bigint)::int END`,
  });
  await writeUpdateFacts(tx, rows);
  return rows;
}
