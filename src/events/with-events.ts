import { eq, sql } from "drizzle-orm";
import * as v from "valibot";
import { anyOf } from "#db/any-of.ts";
import { inTransaction, type Transaction } from "#db/client.ts";
import { queryRows, wholeNumber } from "#db/ledger/query.ts";
import { writeIntegerArray } from "#db/ledger/write-array.ts";
import { events } from "#db/schema/events.ts";
import { sessions } from "#db/schema/sessions.ts";
import type { Deps } from "#src/base/deps.ts";
import { withLocks } from "#src/base/lock.ts";
import { setAlarms } from "./set-alarms.ts";
import { clockText, type EventOrder, type EventRow, isOutdated, type LockedEvent } from "./with-event.ts";

type Change = {
  /** Whether it may be made to this event, together with others. */
  fits: (locked: LockedEvent) => boolean;
  change: (tx: Transaction, locked: readonly LockedEvent[]) => Promise<EventRow[]>;
};

/** By the id of their event: one order for each. */
type Orders = ReadonlyMap<number, EventOrder>;
/** The tokens of the Redis locks that are held, by the key of the lock; null while Redis is away. */
type Fences = ReadonlyMap<string, number | null>;

/**
 * Runs one change of many events as `withEvent` does for one: under their Redis locks, and in one transaction that holds
 * their sessions' rows, their gates and their rows. It does not wait for what somebody else is changing, and refuses
 * nothing.
 * @returns for each order its event as it stands afterwards, unchanged where a timer came with an old version; null where
 *   the event has to go alone: it does not fit, it is not there or is named twice, its session is paused, or somebody else
 *   is changing it or its session.
 */
export async function withEvents(
  deps: Deps,
  orders: readonly EventOrder[],
  { fits, change }: Change,
): Promise<(EventRow | null)[]> {
  const wanted = firstOfEach(orders);
  const { outdated, changed, at } = await withLocks(deps, [...wanted.keys()].map(lockKey), (fences) =>
    inTransaction(deps.pool.db, async (tx) => {
      const locked = await lockEvents(tx, heldOf(wanted, fences));
      const [old, current] = part(locked, ({ event }) => isOutdated(wanted.get(event.id) ?? {}, event));
      const fitting = current.filter((each) => fits(each) && isNewest(each, fences));
      await rememberFences(tx, fitting, fences);
      return { outdated: old, changed: await change(tx, fitting), at: fitting[0]?.at };
    }),
  );
  if (at !== undefined) {
    deps.notifyRelay();
    setAlarms(deps, changed, at);
  }
  const stand = new Map(
    [...outdated.map(({ event }) => event), ...changed].map((event) => [event.id, event]),
  );
  return orders.map((order) => (wanted.get(order.eventId) === order && stand.get(order.eventId)) || null);
}

function firstOfEach(orders: readonly EventOrder[]): Orders {
  const first = new Map<number, EventOrder>();
  for (const order of orders) if (!first.has(order.eventId)) first.set(order.eventId, order);
  return first;
}

const lockKey = (eventId: number) => `event:${eventId}`;

const heldOf = (orders: Orders, fences: Fences): Orders =>
  new Map([...orders].filter(([eventId]) => fences.has(lockKey(eventId))));

/**
 * Locks those of the events that nobody else is at, nor at their session; those of paused sessions are left out.
 * @returns them in the order of their orders.
 */
async function lockEvents(tx: Transaction, orders: Orders): Promise<LockedEvent[]> {
  const free = await queryRows(
    tx,
    v.object({ id: wholeNumber }),
    sql`SELECT id FROM lock_free_events(${writeIntegerArray([...orders.keys()])}::bigint[])`,
  );
  const ids = free.map(({ id }) => id);
  const rows = await tx
    .select({ event: events, session: sessions, at: clockText })
    .from(events)
    .leftJoin(sessions, eq(sessions.id, events.sessionId))
    .where(anyOf(events.id, ids));
  const rowsById = new Map(rows.map((row) => [row.event.id, row]));
  return [...orders.values()].flatMap(({ eventId, actor, version }) => {
    const row = rowsById.get(eventId);
    return row === undefined ? [] : [{ ...row, actor, timed: version !== undefined }];
  });
}

function part<Item>(items: readonly Item[], belongsFirst: (item: Item) => boolean): [Item[], Item[]] {
  const { first = [], second = [] } = Object.groupBy(items, (item) =>
    belongsFirst(item) ? "first" : "second",
  );
  return [first, second];
}

/** False for whoever's lock has run out and was given to another, who has been here already. */
function isNewest({ event }: LockedEvent, fences: Fences): boolean {
  return event.fence <= (fences.get(lockKey(event.id)) ?? Number.POSITIVE_INFINITY);
}

/** What checkFence does for one, for events that are the newest holder's and whose rows are locked. */
async function rememberFences(
  tx: Transaction,
  locked: readonly LockedEvent[],
  fences: Fences,
): Promise<void> {
  const ids = locked.map(({ event }) => event.id);
  const tokens = ids.map((id) => fences.get(lockKey(id)) ?? null);
  await tx.execute(sql`UPDATE events SET fence = held.token
    FROM unnest(${writeIntegerArray(ids)}::bigint[], ${writeIntegerArray(tokens)}::bigint[]) AS held(id, token)
    WHERE events.id = held.id AND held.token IS NOT NULL`);
}
