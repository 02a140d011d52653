import { sql } from "drizzle-orm";
import * as v from "valibot";
import { inTransactions, type Transaction } from "#db/client.ts";
import { isLargeSettlement } from "#db/ledger/large-settlement.ts";
import { listUnpaidSettlements, type UnpaidSettlement } from "#db/ledger/list-settlements.ts";
import { checkFence, gateEvent } from "#db/ledger/locks.ts";
import { paySettlementPart } from "#db/ledger/pay-settlement-part.ts";
import { queryValue } from "#db/ledger/query.ts";
import type { events } from "#db/schema/events.ts";
import type { Deps } from "#src/base/deps.ts";
import { settlements } from "#src/base/instruments.ts";
import { type LockTimeout, withLock } from "#src/base/lock.ts";
import { isAwaited } from "#src/base/redis-locks.ts";
import { conflict, type Refusal } from "#src/base/refusal.ts";
import { inSpan } from "#src/base/spans.ts";
import { notPaused, tryRows } from "#src/base/try-rows.ts";
import { concludePart } from "./conclude-part.ts";

/** The class of the advisory lock that a process holds while it pays an event; other classes are in db/. */
export const PAYER_LOCK_CLASS = 7_705;
/** A job, and the sweep, pays for this long, and then lets others be paid. The next job takes a tenth of that until it pays. */
const BUDGET_MS = 1_000;
/** A job waits this long for another change of the event. A dead process may hold the lock: the database's locks decide. */
const LOCK_TIMEOUT: LockTimeout = { waitMs: 200, onTimeout: "proceed" };
/** While the event's lock is free for this long, another request that waits for it takes it. */
const PAUSE_MS = 50;

/** How a run ended: all calls are paid, its time was up, or another process is paying. */
export type PayProgress = "paid" | "unfinished" | "locked";

export type PayDeps = Pick<Deps, "pool" | "redis" | "log" | "notifyRelay">;
type PayOptions = {
  /** Pays for this long, and at least one part. */
  budgetMs?: number;
  lockTimeout?: LockTimeout;
};

/** A player of the part who places a call meanwhile waits at most about this long. */
const TARGET_MS = 40;
const PART_MIN = 250;
const PART_MAX = 5_000;

/** It waits for no lock: who holds it probably pays. */
const NO_WAIT: LockTimeout = { waitMs: 0, onTimeout: "proceed" };

/**
 * Pays what an event's settlement has decided. Who decides a result writes the decision and commits, and a worker's job, or the
 * sweep of any process, pays it: jobs pay small settlements together (pay-together.ts), and the rest in this way.
 *
 * A part is paid in a transaction of its own; most settlements are one part. The first one has `settle_part_max` calls (500), the
 * next ones as many as take 40 ms. It writes the journal entries, results, scores, notifications and its fact of the outbox. The
 * settlement's row records the progress, so that a killed process has paid whole parts only, and the next process continues.
 *
 * The payer holds the event's Redis lock, and each part checks its fencing token. Between two parts it gives the lock to a
 * request that waits for it. Without Redis, or beside a dead holder, the database's lock of the only payer decides.
 *
 * A part consists of whole players, from the highest user id down. A request that waits for a wallet of this part while it
 * holds lower ones then finds the next players paid already. Money that a part has taken and not yet paid out is on the
 * account `clearing`, which is empty when no settlement is being paid.
 */
export async function paySettlement(
  deps: PayDeps,
  eventId: number,
  { budgetMs = BUDGET_MS, lockTimeout = LOCK_TIMEOUT }: PayOptions = {},
): Promise<PayProgress> {
  const until = performance.now() + budgetMs;
  const isOver = () => performance.now() >= until;
  const lock = `event:${eventId}`;
  let callsMax: number | null = null;
  for (;;) {
    const progress = await withLock(
      deps,
      lock,
      async (fence) => {
        let startedAt = performance.now();
        const [paid] = await inTransactions(
          deps.pool.db,
          (tx) => inSpan("pay a part of a settlement", () => payPart(tx, { eventId, fence, callsMax })),
          async ([part, { callsCount, playersCount }]) => {
            const tookMs = performance.now() - startedAt;
            callsMax = sizePart(callsCount, tookMs);
            if (playersCount > 0) countPaid({ playersCount, tookMs });
            if (part === "paid" && playersCount > 0) settlements.paid.inc();
            deps.notifyRelay();
            const goesOn = part === "unfinished" && !isOver() && !(await isAwaited(deps.redis, lock));
            startedAt = performance.now();
            return goesOn;
          },
        );
        return paid;
      },
      lockTimeout,
    );
    if (progress !== "unfinished" || isOver()) return progress;
    await Bun.sleep(PAUSE_MS);
  }
}

/** Counts a paid part of a settlement, or several settlements that were paid together. */
export function countPaid({ playersCount, tookMs }: { playersCount: number; tookMs: number }): void {
  settlements.playersPaid.inc(playersCount);
  settlements.partSeconds.observe(tookMs / 1_000);
}

const NOTHING = { callsCount: 0, playersCount: 0 };

type Part = { eventId: number; fence: number | null; callsMax: number | null };

/** @returns how it ended, and what it has paid. */
async function payPart(
  tx: Transaction,
  { eventId, fence, callsMax }: Part,
): Promise<[progress: PayProgress, paid: { callsCount: number; playersCount: number }]> {
  if (!(await tryPayerLock(tx, eventId))) return ["locked", NOTHING];
  // All are sent together; Postgres runs them one after the other. The gate comes before the event's row and the wallets.
  const [, , part] = await Promise.all([
    gateEvent(tx, eventId),
    fence === null ? null : checkFence(tx, { kind: "event", id: eventId, token: fence }),
    paySettlementPart(tx, eventId, { callsMax }),
  ]);
  if (part === null) return ["paid", NOTHING];
  await Promise.all([part.isLast ? null : commitWithoutWaiting(tx), concludePart(tx, eventId, part)]);
  const paid = { callsCount: part.callsCount, playersCount: part.players.length };
  return [part.isLast ? "paid" : "unfinished", paid];
}

/** Takes the lock of the only payer until the transaction ends. */
function tryPayerLock(tx: Transaction, eventId: number): Promise<boolean> {
  return queryValue(tx, v.boolean())`
    SELECT pg_try_advisory_xact_lock(lock_class(${PAYER_LOCK_CLASS}::int, ${eventId}::bigint),
      lock_key(${eventId}::bigint))`;
}

/**
 * The commit does not wait for the disk, so that nobody waits for it who needs a wallet of the part. Nobody was promised a part: if
 * the machine fails within the next moments, the settlement's row is as old as the wallets, and the part is paid again. A later
 * commit that waits, such as that of the last part, is on the disk only after this one.
 */
async function commitWithoutWaiting(tx: Transaction): Promise<void> {
  await tx.execute(sql`SET LOCAL synchronous_commit = off`);
}

/**
 * The number of calls of the next part, so that it takes about 40 ms: others wait for the wallets of a part until it commits, and
 * each part has a cost of its own.
 * @param callsCount of the part before.
 * @param tookMs with its commit.
 * @returns 250 to 5,000; null for the ledger's settle_part_max, if the part before had fewer calls: it says little.
 */
function sizePart(callsCount: number, tookMs: number): number | null {
  if (callsCount < PART_MIN) return null;
  const fitting = Math.floor((callsCount * TARGET_MS) / tookMs);
  return Math.min(Math.max(fitting, PART_MIN), PART_MAX);
}

/** The unpaid events that a pass has found, with the number of their paid calls; null: this process is paying it. */
type Pass = ReadonlyMap<number, number | null>;
type SweepOptions = {
  /** What the last pass returned: an event that is new since then, or was paid further, is left to its job. */
  lastPass?: Pass;
  /** Gets the error of a settlement that cannot be paid; the others are still paid. */
  onFailure?: (error: unknown) => void;
};

/**
 * Continues every unpaid settlement that nobody pays, for about a second each. So everybody is paid even without Redis, its
 * jobs or the workers.
 */
export async function sweepSettlements(
  deps: PayDeps,
  { lastPass, onFailure }: SweepOptions = {},
): Promise<Pass> {
  const found = new Map<number, number | null>();
  const due = await listUnpaidSettlements(deps.pool.db, undefined, notPaused("settlement", sql`event_id`));
  for (const { eventId, paidCallsCount } of due) found.set(eventId, paidCallsCount);
  const left = due.filter(({ eventId, paidCallsCount }) => {
    const before = lastPass?.get(eventId);
    return lastPass === undefined || before === null || before === paidCallsCount;
  });
  const pay = async ({ eventId }: (typeof due)[number]) => {
    const progress = await paySettlement(deps, eventId, { lockTimeout: NO_WAIT });
    if (progress === "unfinished") found.set(eventId, null);
  };
  await tryRows(deps, left, pay, { kind: "settlement", idOf: ({ eventId }) => eventId, onFailure });
  return found;
}

const WAIT_MAX_MS = 1_000;
const RETRY_MS = 20;

/**
 * Pays an event's unpaid settlement now, for a request that needs it paid. It does what the job or the sweep would do in a
 * moment.
 * @param nextStep what to do when it is refused, for the message.
 * @throws Refusal 409 for a large settlement, which takes too long.
 */
export async function finishPaying(deps: PayDeps, eventId: number, nextStep: string): Promise<void> {
  const { db } = deps.pool;
  const waitUntil = performance.now() + WAIT_MAX_MS;
  for (;;) {
    const [unpaid] = await listUnpaidSettlements(db, [eventId]);
    if (unpaid === undefined) return;
    const isLate = performance.now() >= waitUntil;
    if (isLate || (await isLargeSettlement(db, eventId))) throw stillPaying(unpaid, nextStep);
    // Another process may be paying it: then this one looks again.
    if ((await paySettlement(deps, eventId)) === "locked") await Bun.sleep(RETRY_MS);
  }
}

/** 409 for a change that must wait until the settlement is paid; `nextStep` tells what to do then. */
export function stillPaying({ paidCallsCount, callsCount }: UnpaidSettlement, nextStep: string): Refusal {
  const [paid, all] = [paidCallsCount, callsCount].map((count) => count.toLocaleString("en-US"));
  return conflict(`It is still being paid, ${paid} of ${all} calls so far. ${nextStep}`);
}

type Decided = Pick<typeof events.$inferSelect, "id" | "version" | "result">;

/**
 * Queues the job that pays what was decided for an event, without waiting. Call it after the commit. If Redis does not accept
 * the job, the sweep pays.
 */
export function startPaying({ queues, log }: Pick<Deps, "queues" | "log">, event: Decided): void {
  const { id: eventId, version, result } = event;
  if (result === null) return;
  queues.paySettlement({ eventId }, version).catch((error: unknown) => {
    log.debug({ eventId, err: error }, "Could not queue the payment of a settlement; the sweep will pay it");
  });
}
