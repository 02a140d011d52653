import { eq, sql } from "drizzle-orm";
import * as v from "valibot";
import { anyOf } from "#db/any-of.ts";
import { inTransaction, type Transaction } from "#db/client.ts";
import { queryRows, wholeNumber } from "#db/ledger/query.ts";
import { writeIntegerArray } from "#db/ledger/write-array.ts";
import { events } from "#db/schema/events.ts";
import { sessions } from "#db/schema/sessions.ts";
import { createBatcher } from "#src/base/batcher.ts";
import type { Deps } from "#src/base/deps.ts";
import { withLocks } from "#src/base/lock.ts";
import { allows } from "#src/http/contract.ts";
import { eventTransitions, type EventTransition } from "./contract.ts";
import { setAlarms } from "./set-alarms.ts";
import {
  clockText,
  type EventCommand,
  type EventRow,
  isOutdated,
  type LockedEvent,
  withEvent,
} from "./with-event.ts";

/** Every command of a batch waits for the batch's commit, so its size is bounded. */
const BATCH_SIZE_MAX = 256;

/** Makes one transition of events whose gates are held. Returns their new rows, in the order given. */
type Change = (tx: Transaction, locked: readonly LockedEvent[]) => Promise<EventRow[]>;

/**
 * Creates a verb that performs a transition, as `withEvent` does for one event, but batches concurrent commands: a close
 * costs a dozen round trips and a commit, and alarms are often due in the same second. Commands that arrive while a batch is
 * running form the next transaction.
 *
 * A batch waits for almost nothing. A command that it cannot perform then runs alone, by `withEvent`: another request holds
 * the event, or the transition is not allowed. Both ways end in the same `change`.
 * @returns a verb that throws what `withEvent` and `change` throw.
 */
export function createBatchedVerb(
  transition: EventTransition,
  change: Change,
): (deps: Deps, command: EventCommand) => Promise<EventRow> {
  const inBatch = createBatcher(BATCH_SIZE_MAX, (deps: Deps, commands: readonly EventCommand[]) =>
    withEvents(deps, commands, transition, change),
  );
  const alone = async (tx: Transaction, locked: LockedEvent) => {
    const [event] = await change(tx, [locked]);
    if (event === undefined) throw new Error("the change returned no row");
    return event;
  };
  return async (deps, command) => {
    // A change that is based on one version of its event is not batched.
    const changed = command.ifVersion == null ? await inBatch(deps, command) : null;
    return changed ?? withEvent(deps, command, alone);
  };
}

/** One command for each event, by the event's id. */
type Commands = ReadonlyMap<number, EventCommand>;
/** The fencing tokens of the held Redis locks, by lock key; null while Redis is away. */
type Fences = ReadonlyMap<string, number | null>;

/**
 * Runs one change of many events: under their Redis locks, and in one transaction that locks their sessions' rows, their
 * gates and their rows. It waits for no other request and refuses nothing.
 * @returns for each command its changed event, or the unchanged event if a timer came with an old schedule version. Null if
 *   the command must run alone: the transition is not allowed, the event does not exist or is named twice, its session is
 *   paused, or another request holds the event or the session.
 */
async function withEvents(
  deps: Deps,
  commands: readonly EventCommand[],
  transition: EventTransition,
  change: Change,
): Promise<(EventRow | null)[]> {
  const byEvent = firstOfEach(commands);
  const { outdated, changed, at } = await withLocks(deps, [...byEvent.keys()].map(lockKey), (fences) =>
    inTransaction(deps.pool.db, async (tx) => {
      const locked = await lockEvents(tx, withHeldLocks(byEvent, fences));
      const [old, current] = partition(locked, ({ event }) => isOutdated(byEvent.get(event.id) ?? {}, event));
      const allowed = current.filter(
        (each) => allows(eventTransitions, transition, each.event.state) && isNewest(each, fences),
      );
      await storeFences(tx, allowed, fences);
      return { outdated: old, changed: await change(tx, allowed), at: allowed[0]?.at };
    }),
  );
  if (at !== undefined) {
    deps.notifyRelay();
    setAlarms(deps, changed, at);
  }
  const results = new Map(
    [...outdated.map(({ event }) => event), ...changed].map((event) => [event.id, event]),
  );
  return commands.map(
    (command) => (byEvent.get(command.eventId) === command && results.get(command.eventId)) || null,
  );
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
 * Locks the events that are free, and whose sessions are free. Events of paused sessions are left out.
 * @returns the locked events, in the order of the commands.
 */
async function lockEvents(tx: Transaction, commands: Commands): Promise<LockedEvent[]> {
  const free = await queryRows(
    tx,
    v.object({ id: wholeNumber }),
    sql`SELECT id FROM lock_free_events(${writeIntegerArray([...commands.keys()])}::bigint[])`,
  );
  const ids = free.map(({ id }) => id);
  const rows = await tx
    .select({ event: events, session: sessions, at: clockText })
    .from(events)
    .leftJoin(sessions, eq(sessions.id, events.sessionId))
    .where(anyOf(events.id, ids));
  const rowsById = new Map(rows.map((row) => [row.event.id, row]));
  return [...commands.values()].flatMap(({ eventId, actor, version }) => {
    const row = rowsById.get(eventId);
    return row === undefined ? [] : [{ ...row, actor, timed: version !== undefined }];
  });
}

function partition<Item>(items: readonly Item[], belongsFirst: (item: Item) => boolean): [Item[], Item[]] {
  const { first = [], second = [] } = Object.groupBy(items, (item) =>
    belongsFirst(item) ? "first" : "second",
  );
  return [first, second];
}

/** False if the lock expired and a newer holder of it has already changed the event. */
function isNewest({ event }: LockedEvent, fences: Fences): boolean {
  return event.fence <= (fences.get(lockKey(event.id)) ?? Number.POSITIVE_INFINITY);
}

/** Stores the tokens as `checkFence` does for one event. The caller has checked them, and holds the rows. */
async function storeFences(tx: Transaction, locked: readonly LockedEvent[], fences: Fences): Promise<void> {
  const ids = locked.map(({ event }) => event.id);
  const tokens = ids.map((id) => fences.get(lockKey(id)) ?? null);
  await tx.execute(sql`UPDATE events SET fence = held.token
    FROM unnest(${writeIntegerArray(ids)}::bigint[], ${writeIntegerArray(tokens)}::bigint[]) AS held(id, token)
    WHERE events.id = held.id AND held.token IS NOT NULL`);
}
