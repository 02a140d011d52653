import { expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import * as v from "valibot";
import { type DatabasePool, connect, inTransaction } from "#db/client.ts";
import { cancelCall, refundActiveCalls } from "#db/ledger/cancel-call.ts";
import { gateEvent } from "#db/ledger/locks.ts";
import { placeCalls } from "#db/ledger/place-calls.ts";
import { queryRows, wholeNumber } from "#db/ledger/query.ts";
import { LedgerRefusal } from "#db/ledger/refusal.ts";
import { afterFile } from "#tests/support/after-file.ts";
import { listDifferences } from "#tests/support/books.ts";
import { type Result, type BuiltEvent, unique, writeRefundAudit, testLedger } from "./fixtures.ts";
import { adjust, chargeBack, deposit, type Deposit, topUp } from "./move-money.ts";

const RUN_MS = 4_000;
const PLAYERS = 12;
/** Small enough to be used up, and to owe after corrections. */
const START_CENTS = 1_000;
const EVENTS = 6;
const PLACERS = 8;
const CANCELLERS = 2;
const OPERATORS = 4;
const DEPOSITORS = 3;
const DISPUTERS = 2;
const ADJUSTERS = 3;
const TOPPERS = 2;
const WORKERS = PLACERS + CANCELLERS + OPERATORS + DEPOSITORS + DISPUTERS + ADJUSTERS + TOPPERS;

const ledger = await testLedger({ poolSize: WORKERS });
const { pool, db } = ledger;
/** A separate pool, so that the reader does not wait for a connection behind the workers. */
const readerPool = connect(ledger.url, { poolSize: 1 });
afterFile(() => readerPool.close());

const pick = <Item>(items: readonly Item[]): Item => {
  const item = items[Math.floor(Math.random() * items.length)];
  if (item === undefined) throw new Error("nothing to pick from");
  return item;
};
const amount = () => 1 + Math.floor(Math.random() * 400);

const many = (count: number, worker: (n: number) => Promise<number>) =>
  Array.from({ length: count }, (_, n) => worker(n));

/** Repeats `work` until the deadline. Refusals of the ledger are expected. */
async function repeatUntil(until: number, work: () => Promise<unknown>): Promise<number> {
  let done = 0;
  while (performance.now() < until) {
    try {
      await work();
      done++;
    } catch (error) {
      if (!(error instanceof LedgerRefusal)) throw error;
    }
  }
  return done;
}

test("the books agree at every moment under 24 concurrent workers with all operations", async () => {
  const players = await Promise.all(Array.from({ length: PLAYERS }, () => ledger.player(START_CENTS)));
  const events = await Promise.all(Array.from({ length: EVENTS }, () => ledger.openEvent()));
  const callWorkers = createCallWorkers(pool, { players, events });
  const walletWorkers = createWalletWorkers(pool, players);

  const until = performance.now() + RUN_MS;
  let snapshots = 0;
  const [, ...counts] = await Promise.all([
    repeatUntil(until, async () => {
      expect(await listDifferences(readerPool.db)).toEqual([]);
      snapshots++;
    }),
    ...many(PLACERS, () => repeatUntil(until, callWorkers.place)),
    ...many(CANCELLERS, () => repeatUntil(until, callWorkers.cancel)),
    ...many(OPERATORS, (n) => {
      const own = events.filter((_, m) => m % OPERATORS === n);
      return repeatUntil(until, () => operate({ own, all: events }));
    }),
    ...many(DEPOSITORS, () => repeatUntil(until, walletWorkers.deposit)),
    ...many(DISPUTERS, () => repeatUntil(until, walletWorkers.chargeBack)),
    ...many(ADJUSTERS, () => repeatUntil(until, walletWorkers.adjust)),
    ...many(TOPPERS, () => repeatUntil(until, walletWorkers.topUp)),
  ]);

  expect(counts).toHaveLength(WORKERS);
  await ledger.expectToAgree();
  expect(snapshots).toBeGreaterThan(1);
  expect(Math.min(...counts)).toBeGreaterThan(0);
  expect(callWorkers.codes.get("placed")).toBeGreaterThan(20);
  expect(callWorkers.codes.get("insufficient")).toBeGreaterThan(0);
  const [total] = await db.execute(
    sql`SELECT sum(posted_cents)::int AS cents FROM accounts WHERE user_id IS NOT NULL`,
  );
  const [house] = await db.execute(sql`SELECT coalesce(sum(e.amount_cents), 0)::int AS cents
      FROM journal j JOIN entries e ON e.journal_id = j.id AND e.amount_cents > 0
      WHERE starts_with(j.idempotency_key, 'grant-house-')`);
  const houseCents = Number(house?.["cents"]);
  expect(total).toEqual({ cents: PLAYERS * START_CENTS + walletWorkers.addedCents() + houseCents });
});

/** Workers that place calls, several at once, and cancel them. Counts the outcomes. */
function createCallWorkers(
  pool: DatabasePool,
  { players, events }: { players: readonly number[]; events: readonly BuiltEvent[] },
) {
  const codes = new Map<string, number>();
  const callIds: { userId: number; callId: number }[] = [];
  const newCall = () => {
    const event = pick(events);
    const spotId = pick([event.trueSpot, event.falseSpot]);
    return { userId: pick(players), spotId, wagerCents: amount(), idempotencyKey: `call-${unique()}` };
  };
  const place = async () => {
    const calls = Array.from({ length: 1 + Math.floor(Math.random() * 8) }, newCall);
    const answers = await placeCalls(pool, calls);
    for (const [n, { code, callId }] of answers.entries()) {
      codes.set(code, (codes.get(code) ?? 0) + 1);
      const userId = calls[n]?.userId;
      if (code === "placed" && callId !== null && userId !== undefined) callIds.push({ userId, callId });
    }
  };
  const cancel = async () => {
    const call = callIds.splice(Math.floor(Math.random() * callIds.length), 1)[0];
    if (call === undefined) await Bun.sleep(1);
    else await cancelCall(db, call);
  };
  return { codes, place, cancel };
}

/** Workers that move money without calls. Counts how much they have brought to all players. */
function createWalletWorkers(pool: DatabasePool, players: readonly number[]) {
  const paid: Deposit[] = [];
  let addedCents = 0;
  const rest = () => Bun.sleep(Math.random() * 20);
  return {
    addedCents: () => addedCents,
    deposit: async () => {
      await rest();
      const payment = await deposit(pool, pick(players), amount());
      addedCents += payment.leftCents;
      paid.push(payment);
    },
    chargeBack: async () => {
      await rest();
      const payment = paid.splice(Math.floor(Math.random() * paid.length), 1)[0];
      if (payment === undefined) return;
      const partCents = Math.ceil(payment.leftCents * Math.random());
      await chargeBack(pool, payment, partCents);
      addedCents -= partCents;
    },
    adjust: async () => {
      await rest();
      const amountCents = Math.random() < 0.5 ? amount() : -amount();
      await adjust(pool, pick(players), amountCents);
      addedCents += amountCents;
    },
    topUp: async () => {
      await rest();
      const topUpCents = await topUp(pool, pick(players), 100);
      addedCents += topUpCents;
    },
  };
}

/** One operator: its own event is played, settled, corrected and reset; sometimes all events are refunded. */
async function operate({ own, all }: Record<"own" | "all", readonly BuiltEvent[]>): Promise<void> {
  const event = pick(own);
  const result = (): Result => pick(["true", "false", "void"] as const);
  await Bun.sleep(Math.random() * 30);
  if (Math.random() < 0.2) await refundAll(all);
  if (Math.random() < 0.5) {
    await ledger.settle(event, result());
  } else {
    await ledger.close(event);
    await Bun.sleep(Math.random() * 10);
    await ledger.resolve(event, { result: result() });
  }
  await ledger.resolve(event, { result: result(), reason: "Second look" });
  await ledger.reset(event);
  await ledger.open(event);
}

/** The money of several events in one transaction: all gates, then all wallets, then the changes. */
function refundAll(events: readonly BuiltEvent[]): Promise<void> {
  const ids = events.map(({ id }) => id);
  return inTransaction(db, async (tx) => {
    await gateEvent(tx, ...ids);
    await tx.execute(sql`SELECT 1 FROM accounts
      WHERE user_id IN (SELECT user_id FROM calls WHERE event_id IN ${ids}) ORDER BY id FOR NO KEY UPDATE`);
    // What was decided for an event is paid, and not refunded.
    const undecided = await queryRows(tx, v.object({ id: wholeNumber }))`
      SELECT id FROM events WHERE id IN ${ids} AND result IS NULL ORDER BY id DESC`;
    for (const event of undecided) {
      await refundActiveCalls(tx, { eventId: event.id, cause: "skip" });
      await writeRefundAudit(tx, event, "skip");
    }
  });
}
