import type { DatabasePool, Queryable } from "#db/client.ts";
import { listUnpaidSettlements } from "#db/ledger/list-unpaid-settlements.ts";
import { findNewestSeal } from "#db/ledger/seal-journals.ts";
import type { Deps } from "#src/base/deps.ts";
import { listFailingRows } from "#src/base/try-rows.ts";
import { showBooks } from "#src/books/show-books.ts";
import { findWriteTrouble, WRITES_CURE } from "#src/operate/troubles/find-write-trouble.ts";
import { listPastTroubles, listTroubles } from "#src/operate/troubles/list-troubles.ts";
import type { Trouble } from "#src/operate/troubles/note-troubles.ts";
import { parts, ROWS_SHOWN } from "./contract.ts";
import { findLateTimers } from "./find-late-timers.ts";
import { countWebhooks, findUndeliveredMails } from "./find-undelivered.ts";
import { listStarts, listSwitches } from "./process-starts.ts";
import { readBehindMs } from "./read-behind.ts";
import { countWorkers, readQueues } from "./read-queues.ts";
import type { OperationsView } from "./schemas.ts";

/** What runs behind the game, and what of it needs attention. */
export async function showOperations(
  deps: Pick<Deps, "pool" | "queues">,
  now: Date,
): Promise<OperationsView> {
  const { db } = deps.pool;
  const [queues, workers, lateTimers, failing, books, seal, mails, webhooks, starts, more] =
    await Promise.all([
      readQueues(deps, now),
      countWorkers(deps),
      findLateTimers(db),
      listFailingRows(db, ROWS_SHOWN),
      findBooks(db, now),
      findSeal(db),
      findUndeliveredMails(db),
      countWebhooks(db),
      listStarts(db),
      findMore(deps.pool, now),
    ]);
  const failingRows = failing.map(({ since, nextAt, ...row }) => ({
    ...row,
    since: since.toISOString(),
    nextAt: nextAt.toISOString(),
  }));
  const serverTime = now.toISOString();
  return {
    ...more,
    queues,
    workers,
    lateTimers,
    failingRows,
    books,
    seal,
    mails,
    webhooks,
    starts,
    serverTime,
  };
}

/** What is wrong, what was wrong and was switched, and what players wait for. */
async function findMore(pool: DatabasePool, now: Date) {
  const { db } = pool;
  const [refused, wrong, past, switches, unpaid, feedBehindMs] = await Promise.all([
    findWriteTrouble(pool),
    listTroubles(db),
    listPastTroubles(db, ROWS_SHOWN),
    listSwitches(db),
    listUnpaidSettlements(db),
    readBehindMs(db),
  ]);
  // A database that takes no writes does not take this one either.
  const unnoted =
    refused === null || wrong.some(({ part }) => part === "writes") ? [] : [refusedWrites(refused, now)];
  return {
    troubles: [...unnoted, ...wrong]
      .toSorted(byCause)
      .map((row) => ({ ...presentTrouble(row), cure: row.cure })),
    pastTroubles: past.map((row) => ({ ...presentTrouble(row), endedAt: row.endedAt.toISOString() })),
    switches,
    unpaid: { count: unpaid.length, oldestAt: unpaid[0]?.createdAt.toISOString() ?? null },
    feedBehindMs,
  };
}

function refusedWrites(detail: string, since: Date): Trouble {
  return { part: "writes", process: "", what: "writes refused", detail, cure: WRITES_CURE, since };
}

/** Causes before what follows from them; what a later release knows comes last. */
function byCause(one: Trouble, other: Trouble): number {
  const [first, second] = [one, other].map(({ part }) => parts.findIndex((known) => known === part) >>> 0);
  return (first ?? 0) - (second ?? 0);
}

function presentTrouble({ part, process, what, detail, since }: Trouble) {
  return { part, process: process === "" ? null : process, what, detail, since: since.toISOString() };
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
