import { eq, inArray, sql } from "drizzle-orm";
import { inTransaction, type Transaction } from "#db/client.ts";
import { checkFence, gateEvent } from "#db/ledger/locks.ts";
import { anyOf, queryColumn, wholeNumber, writeIntegerArray } from "#db/ledger/query.ts";
import { semaphorePerOwner } from "#db/pool/semaphore.ts";
import { events } from "#db/schema/events.ts";
import { sessions } from "#db/schema/sessions.ts";
import { type Actor, type AuditEntry, writeAudit } from "#src/base/audit.ts";
import { createBatcher } from "#src/base/batcher.ts";
import type { Deps } from "#src/base/deps.ts";
import { type LockTimeout, withLock, withLocks } from "#src/base/lock.ts";
import { notFound } from "#src/base/refusal.ts";
import { allows } from "#src/http/contract.ts";
import { type IfVersion, requireVersion } from "#src/http/if-match.ts";
import { type EventTransition, eventTransitions } from "./contract.ts";

/**
 * Limits how many single changes of events hold a connection at once. The limit is below the size of the connection pool, so
 * that requests still get a connection when many events change. Batched changes (`withEvents`) need one connection each
 * and are not limited.
 */
const semaphoreOf = semaphorePerOwner(6);

export type EventRow = typeof events.$inferSelect;

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
  timed: boolean;
  /** The time on the database's clock, read after the gate was taken: ISO 8601 with microseconds, in UTC. */
  at: string;
  /** When `at` was read, from performance.now(): the alarms are set later, after the commit. */
  sinceMs?: number | undefined;
  /** Other events that got other times by this change; see schedule.ts. Their alarms are set after the commit. */
  planned: EventRow[];
  /** The token of the event's Redis lock, where its move stores it (`withEvents`). Elsewhere `checkFence` does. */
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
  const { event, planned, at, sinceMs } = await withLock(
    deps,
    `event:${command.eventId}`,
    perform,
    command.lockTimeout,
  );
  deps.notifyRelay();
  setAlarms(deps, [event, ...planned], at, sinceMs);
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
  const sinceMs = performance.now();
  if (row === undefined || row.event.state === "soft_destroyed") throw notFound();
  requireVersion({ ifVersion }, row.event);
  return { ...row, session: session ?? null, actor, timed: version !== undefined, planned: [], sinceMs };
}

/** True for a timer that was set for another schedule version. */
function isOutdated({ version }: Pick<EventCommand, "version">, event: EventRow): boolean {
  return version !== undefined && version !== event.scheduleVersion;
}

/** A due time is read in whole milliseconds, without the rest: an alarm that comes before it would have to wait once more. */
export const REST_MS = 1;

type Scheduled = Pick<typeof events.$inferSelect, "id" | "nextTransition" | "dueAt" | "scheduleVersion">;

/**
 * Sets the alarm of every event that has a due time, without waiting. If Redis does not accept an alarm, the sweep performs
 * the transition instead.
 * @param at the time on the database's clock, ISO 8601.
 * @param sinceMs when that was read, from performance.now(); by default now.
 */
export function setAlarms(
  deps: Pick<Deps, "queues" | "log">,
  scheduled: readonly Scheduled[],
  at: string,
  sinceMs?: number,
): void {
  const nowMs = Date.parse(at);
  for (const { id, nextTransition, dueAt, scheduleVersion } of scheduled) {
    if (nextTransition === null || dueAt === null) continue;
    const alarm = { eventId: id, transition: nextTransition, version: scheduleVersion };
    deps.queues.setAlarm(alarm, dueAt.getTime() + REST_MS - nowMs, sinceMs).catch((error: unknown) => {
      deps.log.debug({ alarm, err: error }, "Could not set an alarm; the sweep will perform the transition");
    });
  }
}

/** Every command of a batch waits for the batch's commit, so its size is bounded. */
const BATCH_SIZE_MAX = 256;
/** After this long the next batch does not wait for this one. */
const NEXT_AFTER_MS = 20;

/**
 * Makes one transition of events whose gates are held. Returns their new rows. Of many events it may leave out some, which then
 * run alone; one event it changes or refuses.
 */
type Change = (tx: Transaction, locked: readonly LockedEvent[], deps: Deps) => Promise<EventRow[]>;

/** A transition of many events: see createBatchedVerb. */
type Batched = {
  transition: EventTransition;
  change: Change;
  /** False for an event whose change would be refused: it runs alone, so that the others do not fail with it. */
  fits?: (locked: LockedEvent) => boolean;
  /**
   * The same as locking the events and changing those that fit, in one statement, which draws the tokens of their Redis locks. It returns
   * only the changed events.
   */
  inOneTrip?: (deps: Deps, commands: Commands) => Promise<EventRow[]>;
};

/** `alone: false`: does nothing where the command would have to run alone, and returns null. */
type BatchedVerb = {
  (deps: Deps, command: EventCommand): Promise<EventRow>;
  (deps: Deps, command: EventCommand, how: { alone: boolean }): Promise<EventRow | null>;
};

/**
 * Creates a verb that performs a transition, as `withEvent` does for one event, but batches concurrent commands: a close
 * costs a dozen round trips and a commit, and alarms are often due in the same second. Commands that arrive while a batch is
 * running form the next transaction.
 *
 * A batch waits for almost nothing. A command that it cannot perform then runs alone, by `withEvent`: another request holds
 * the event, or the transition is not allowed. Both ways end in the same `change`.
 * @returns a verb that throws what `withEvent` and `change` throw.
 */
export function createBatchedVerb(batched: Batched): BatchedVerb {
  const inBatch = createBatcher(
    BATCH_SIZE_MAX,
    (deps: Deps, commands: readonly EventCommand[]) => withEvents(deps, commands, batched),
    // Alarms that are due at once arrive in one turn of the event loop. While the database works on one batch, the next is prepared.
    { collects: true, slowMs: NEXT_AFTER_MS },
  );
  async function perform(deps: Deps, command: EventCommand): Promise<EventRow>;
  async function perform(
    deps: Deps,
    command: EventCommand,
    how: { alone: boolean },
  ): Promise<EventRow | null>;
  async function perform(deps: Deps, command: EventCommand, { alone } = { alone: true }) {
    // A change that is based on one version of its event is not batched.
    const changed = command.ifVersion == null ? await inBatch(deps, command) : null;
    if (changed !== null || !alone) return changed;
    return withEvent(deps, command, (tx, locked) =>
      moveOne(tx, locked, (_, only) => batched.change(tx, only, deps)),
    );
  }
  return perform;
}

/** Makes a change of many events for one. */
export async function moveOne(
  tx: Transaction,
  locked: LockedEvent,
  change: (tx: Transaction, locked: readonly LockedEvent[]) => Promise<EventRow[]>,
): Promise<EventRow> {
  const [event] = await change(tx, [locked]);
  if (event === undefined) throw new Error("the change returned no row");
  return event;
}

/** One command for each event, by the event's id. */
export type Commands = ReadonlyMap<number, EventCommand>;
/** The fencing tokens of the held Redis locks, by lock key; null while Redis is away. */
type Fences = ReadonlyMap<string, number | null>;

/**
 * Runs one change of many events: under their Redis locks, and in one transaction that locks their sessions' rows, their
 * gates and their rows. It waits for no other request and refuses nothing.
 * @returns for each command its changed event, or the unchanged event if a timer came with an old schedule version. Null if
 *   the command must run alone: the transition is not allowed or not due, the event does not exist or is named twice, its
 *   session is paused, or another request holds the event or the session.
 */
async function withEvents(
  deps: Deps,
  commands: readonly EventCommand[],
  batched: Batched,
): Promise<(EventRow | null)[]> {
  const { inOneTrip } = batched;
  const byEvent = firstOfEach(commands);
  const { outdated, changed, planned, at, sinceMs } = await withLocks(
    deps,
    [...byEvent.keys()].map(lockKey),
    async (fences): Promise<Changed> => {
      if (inOneTrip === undefined)
        return inTransaction(deps.pool.db, (tx) => lockAndChange(tx, { deps, byEvent, fences, batched }));
      const moved = await inOneTrip(deps, withHeldLocks(byEvent, fences));
      return { outdated: [], changed: moved, planned: [], at: moved[0]?.updatedAt.toISOString() };
    },
    { drawn: inOneTrip === undefined },
  );
  if (at !== undefined && changed.length > 0) {
    deps.notifyRelay();
    setAlarms(deps, [...changed, ...planned], at, sinceMs);
  }
  const results = new Map([...outdated, ...changed].map((event) => [event.id, event]));
  return commands.map(
    (command) => (byEvent.get(command.eventId) === command && results.get(command.eventId)) || null,
  );
}

type Batch = { deps: Deps; byEvent: Commands; fences: Fences; batched: Batched };
/** `at` is undefined if no event was locked. */
type Changed = {
  outdated: EventRow[];
  changed: EventRow[];
  planned: EventRow[];
  at: string | undefined;
  sinceMs?: number | undefined;
};

async function lockAndChange(
  tx: Transaction,
  { deps, byEvent, fences, batched: { transition, change, fits = () => true } }: Batch,
): Promise<Changed> {
  const locked = await lockEvents(tx, withHeldLocks(byEvent, fences), fences);
  const { old = [], current = [] } = Object.groupBy(locked, ({ event }) =>
    isOutdated(byEvent.get(event.id) ?? {}, event) ? "old" : "current",
  );
  const allowed = current.filter(
    (each) => allows(eventTransitions, transition, each.event.state) && isNewest(each) && fits(each),
  );
  const changed = allowed.length === 0 ? [] : await change(tx, allowed, deps);
  return {
    outdated: old.map(({ event }) => event),
    changed,
    planned: allowed.flatMap((each) => each.planned),
    at: locked[0]?.at,
    sinceMs: locked[0]?.sinceMs,
  };
}

function firstOfEach(commands: readonly EventCommand[]): Commands {
  const first = new Map<number, EventCommand>();
  for (const command of commands) if (!first.has(command.eventId)) first.set(command.eventId, command);
  return first;
}

const lockKey = (eventId: number) => `event:${eventId}`;

const withHeldLocks = (commands: Commands, fences: Fences): Commands =>
  new Map([...commands].filter(([eventId]) => fences.has(lockKey(eventId))));

/**
 * Locks the events that are free, and whose sessions are free. Events of paused sessions are left out, and those of timers that are
 * not due yet.
 * @returns the locked events, in the order of the commands.
 */
async function lockEvents(tx: Transaction, commands: Commands, fences: Fences): Promise<LockedEvent[]> {
  const ids = [...commands.keys()];
  // All are sent together; Postgres runs them one after the other. Rows that are not locked are left out below.
  const [free, rows, sessionRows] = await Promise.all([
    queryColumn(tx, wholeNumber)`
      SELECT id FROM lock_free_events(${writeIntegerArray(ids)}::bigint[])`,
    tx
      .select({
        event: events,
        at: clockText,
        isDue: sql<boolean>`coalesce(${events.dueAt} <= game_now(), true)`,
      })
      .from(events)
      .where(anyOf(events.id, ids)),
    tx
      .select()
      .from(sessions)
      .where(
        inArray(sessions.id, tx.select({ id: events.sessionId }).from(events).where(anyOf(events.id, ids))),
      ),
  ]);
  const sinceMs = performance.now();
  const locked = new Set(free);
  const rowsById = new Map(rows.map((row) => [row.event.id, row]));
  const sessionsById = new Map(sessionRows.map((session) => [session.id, session]));
  return [...commands.values()].flatMap(({ eventId, actor, version }) => {
    const row = rowsById.get(eventId);
    const timed = version !== undefined;
    if (row === undefined || !locked.has(eventId) || (timed && !row.isDue)) return [];
    const { event, at } = row;
    const session = sessionsById.get(event.sessionId ?? 0) ?? null;
    const fence = fences.get(lockKey(eventId)) ?? null;
    return [{ event, at, session, actor, timed, planned: [], fence, sinceMs }];
  });
}

/** False if the lock expired and a newer holder of it has already changed the event. */
function isNewest({ event, fence }: LockedEvent): boolean {
  return event.fence <= (fence ?? Number.POSITIVE_INFINITY);
}
