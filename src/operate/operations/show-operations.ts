import type { Queryable } from "#db/client.ts";
import { findNewestSeal } from "#db/ledger/seal-journals.ts";
import type { Deps } from "#src/base/deps.ts";
import { listFailingRows } from "#src/base/try-rows.ts";
import { showBooks } from "#src/books/show-books.ts";
import { ROWS_SHOWN } from "./contract.ts";
import { findLateTimers } from "./find-late-timers.ts";
import { countWebhooks, findUndeliveredMails } from "./find-undelivered.ts";
import { listStarts } from "./process-starts.ts";
import { countWorkers, readQueues } from "./read-queues.ts";
import type { OperationsView } from "./schemas.ts";

/** What runs behind the game, and what of it needs attention. */
export async function showOperations(
  deps: Pick<Deps, "pool" | "queues">,
  now: Date,
): Promise<OperationsView> {
  const { db } = deps.pool;
  const [queues, workers, lateTimers, failing, books, seal, mails, webhooks, starts] = await Promise.all([
    readQueues(deps, now),
    countWorkers(deps),
    findLateTimers(db),
    listFailingRows(db, ROWS_SHOWN),
    findBooks(db, now),
    findSeal(db),
    findUndeliveredMails(db),
    countWebhooks(db),
    listStarts(db),
  ]);
  const failingRows = failing.map(({ since, nextAt, ...row }) => ({
    ...row,
    since: since.toISOString(),
    nextAt: nextAt.toISOString(),
  }));
  const serverTime = now.toISOString();
  return { queues, workers, lateTimers, failingRows, books, seal, mails, webhooks, starts, serverTime };
}

async function findBooks(db: Queryable, now: Date): Promise<OperationsView["books"]> {
  const { lastCheck, overdue } = await showBooks(db, now);
  return {
    checkedAt: lastCheck?.checkedAt ?? null,
    differencesCount: lastCheck?.differencesCount ?? 0,
    overdue,
  };
}

async function findSeal(db: Queryable): Promise<OperationsView["seal"]> {
  const seal = await findNewestSeal(db);
  return seal === null ? null : { hash: seal.hash, sealedAt: seal.sealedAt.toISOString() };
}
