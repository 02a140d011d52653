import type { Queryable } from "#db/client.ts";
import { findNewestSeal } from "#db/ledger/seal-journals.ts";
import type { Deps } from "#src/base/deps.ts";
import { showBooks } from "#src/books/show-books.ts";
import { findLateTimers } from "./find-late-timers.ts";
import { countWebhooks, findUndeletedUploads, findUndeliveredMails } from "./find-undelivered.ts";
import { listStarts } from "./process-starts.ts";
import { countWorkers, readQueues } from "./read-queues.ts";
import type { OperationsView } from "./schemas.ts";

/** What runs behind the game, and what of it needs attention. */
export async function showOperations(
  deps: Pick<Deps, "pool" | "queues">,
  now: Date,
): Promise<OperationsView> {
  const { db } = deps.pool;
  const [queues, workers, lateTimers, books, seal, mails, webhooks, undeleted, starts] = await Promise.all([
    readQueues(deps, now),
    countWorkers(deps),
    findLateTimers(db),
    findBooks(db, now),
    findSeal(db),
    findUndeliveredMails(db),
    countWebhooks(db),
    findUndeletedUploads(db),
    listStarts(db),
  ]);
  const serverTime = now.toISOString();
  return { queues, workers, lateTimers, books, seal, mails, webhooks, undeleted, starts, serverTime };
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
