import { asc } from "drizzle-orm";
import { inTransaction, type Transaction } from "#db/client.ts";
import { type PaidPlayer, paySmallSettlements } from "#db/ledger/pay-settlement-part.ts";
import { anyOf } from "#db/ledger/query.ts";
import { semaphorePerOwner } from "#db/pool/semaphore.ts";
import { events } from "#db/schema/events.ts";
import { createBatcher } from "#src/base/batcher.ts";
import { settlements } from "#src/base/instruments.ts";
import { withLocks } from "#src/base/lock.ts";
import { announcePaid, notifyRefunded, readEvents, refundsOf } from "./conclude-part.ts";
import {
  countPaid,
  type PayDeps,
  PAYER_LOCK_CLASS,
  type PayProgress,
  paySettlement,
} from "./pay-settlement.ts";

/** Many actions of a show can have their results at one moment. */
const BATCH_SIZE_MAX = 256;
/** A player of these events who places a call meanwhile waits until all are paid. */
const EVENTS_MAX = 10;
/** A settlement that is not paid with others takes about one core of the database. */
const semaphoreOf = semaphorePerOwner(3);

/**
 * Pays an event's settlement, for a job. Small settlements that are due at the same moment share a transaction: their players are
 * often the same, and would wait for each other. Whatever is left is paid alone, by paySettlement.
 */
export async function payTogether(deps: PayDeps, eventId: number): Promise<PayProgress> {
  if (await payInBatch(deps, eventId)) return "paid";
  return semaphoreOf(deps.pool).run(() => paySettlement(deps, eventId));
}

const payInBatch = createBatcher(
  BATCH_SIZE_MAX,
  async (deps: PayDeps, eventIds: readonly number[]): Promise<boolean[]> => {
    const paid = new Set<number>();
    let left: readonly number[] = await inOrder(deps, eventIds);
    while (left.length > 0) {
      const some = left.slice(0, EVENTS_MAX);
      const now = await paySome(deps, some);
      for (const id of now) paid.add(id);
      // A transaction has as many calls as one part: the rest of these events is tried again. If none was paid, all are left.
      left = left.filter((id) => !paid.has(id) && (now.length > 0 || !some.includes(id)));
    }
    return eventIds.map((id) => paid.has(id));
  },
  { collects: true, name: "pay settlements" },
);

/** These events in the order of the streaks: an older result than a player's newest would have them counted again. */
async function inOrder({ pool }: PayDeps, eventIds: readonly number[]): Promise<readonly number[]> {
  if (eventIds.length === 1) return eventIds;
  const rows = await pool.db
    .select({ id: events.id })
    .from(events)
    .where(anyOf(events.id, eventIds))
    .orderBy(asc(events.resolvedAt), asc(events.id));
  return rows.map(({ id }) => id);
}

/** Pays those of these events that are free. @returns which it has paid. */
async function paySome(deps: PayDeps, eventIds: readonly number[]): Promise<number[]> {
  const keyOf = (id: number) => `event:${id}`;
  const startedAt = performance.now();
  const paid = await withLocks(deps, eventIds.map(keyOf), (held) =>
    inTransaction(deps.pool.db, async (tx) => {
      const free = eventIds.filter((id) => held.has(keyOf(id)));
      const fences = new Map(free.map((id) => [id, held.get(keyOf(id)) ?? null]));
      const players = await paySmallSettlements(tx, { fences, payerLockClass: PAYER_LOCK_CLASS });
      await conclude(tx, players);
      return players;
    }),
  );
  if (paid.size === 0) return [];
  const playersCount = [...paid.values()].reduce((count, players) => count + players.length, 0);
  countPaid({ playersCount, tookMs: performance.now() - startedAt });
  settlements.paid.inc(paid.size);
  deps.notifyRelay();
  return [...paid.keys()];
}

async function conclude(tx: Transaction, paid: ReadonlyMap<number, PaidPlayer[]>): Promise<void> {
  const refunded = [...paid].filter(([, players]) => refundsOf(players).length > 0).map(([id]) => id);
  const [rows] = await Promise.all([
    refunded.length === 0 ? [] : readEvents(tx, refunded),
    announcePaid(tx, [...paid.keys()]),
  ]);
  for (const about of rows) await notifyRefunded(tx, about, paid.get(about.event.id) ?? []);
}
