import { findIdleTransactions } from "#db/idle-transactions.ts";
import { listUnpaidSettlements } from "#db/ledger/list-unpaid-settlements.ts";
import type { Deps } from "#src/base/deps.ts";
import { serverNow } from "#src/base/server-clock.ts";
import { countFailingRows } from "#src/base/try-rows.ts";
import { showBooks } from "#src/books/show-books.ts";
import { findLateTimers } from "#src/operate/operations/find-late-timers.ts";
import { countWebhooks, findUndeliveredMails } from "#src/operate/operations/find-undelivered.ts";
import { readBehindMs } from "#src/operate/operations/read-behind.ts";
import { countQueues } from "#src/operate/operations/read-queues.ts";
import type { QueueView } from "#src/operate/operations/schemas.ts";

/** A part that has not answered by then is away. */
const ANSWER_WITHIN_MS = 2_000;

export type StateDeps = Pick<Deps, "pool" | "redis" | "queues">;

/** The state of the product as a whole, which every process reads from the same places. Null: that part is away. */
export type ProductState = {
  database: {
    outboxAgeMs: number;
    /** How late the latest timer is; 0 without a late one. */
    lateMs: number;
    lateTimers: number;
    /** For how long the longest transaction has kept locks while its process said nothing; 0 without one. */
    idleTransactionMs: number;
    failingRows: number;
    /** Null before the first check. */
    books: { differences: number; ageMs: number } | null;
    settlements: { unpaid: number; ageMs: number };
    mails: { waiting: number; failed: number };
    webhooks: { failing: number; waiting: number };
  } | null;
  redis: { queues: QueueView[]; workers: number | null } | null;
};

/** Reads it. It answers within two seconds, whatever is away. */
export async function readState(deps: StateDeps): Promise<ProductState> {
  const [database, redis] = await Promise.all([inTime(readDatabase(deps)), inTime(readQueues(deps))]);
  return { database, redis };
}

async function inTime<Answer>(reading: Promise<Answer>): Promise<Answer | null> {
  const answered = reading.catch(() => null);
  return Promise.race([answered, Bun.sleep(ANSWER_WITHIN_MS).then(() => null)]);
}

async function readDatabase({ pool: { db } }: StateDeps): Promise<ProductState["database"]> {
  const now = serverNow();
  const [outboxAgeMs, late, idle, failing, { lastCheck }, unpaid, mails, webhooks] = await Promise.all([
    readBehindMs(db),
    findLateTimers(db),
    findIdleTransactions(db),
    countFailingRows(db),
    showBooks(db, now),
    listUnpaidSettlements(db),
    findUndeliveredMails(db),
    countWebhooks(db),
  ]);
  const ageOf = (moment: Date) => Math.max(0, now.getTime() - moment.getTime());
  return {
    outboxAgeMs,
    lateMs: late[0]?.lateMs ?? 0,
    lateTimers: late.length,
    idleTransactionMs: idle[0]?.idleMs ?? 0,
    failingRows: failing,
    books:
      lastCheck === null
        ? null
        : { differences: lastCheck.differencesCount, ageMs: ageOf(new Date(lastCheck.checkedAt)) },
    settlements: {
      unpaid: unpaid.length,
      ageMs: Math.max(0, ...unpaid.map(({ createdAt }) => ageOf(createdAt))),
    },
    mails: { waiting: mails.waiting, failed: mails.failed },
    webhooks: { failing: webhooks.failing, waiting: webhooks.waiting },
  };
}

async function readQueues(deps: StateDeps): Promise<ProductState["redis"]> {
  const [queues, workers] = await Promise.all([
    countQueues(deps),
    // Some Redis servers list no clients.
    deps.queues.byName.transitions.getWorkersCount().catch(() => null),
  ]);
  return { queues, workers };
}
