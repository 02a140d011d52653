import type { DatabasePool, Queryable } from "#db/client.ts";
import { listUnpaidSettlements } from "#db/ledger/list-unpaid-settlements.ts";
import { findNewestSeal } from "#db/ledger/seal-journals.ts";
import type { Deps } from "#src/base/deps.ts";
import { listFailingRows } from "#src/base/try-rows.ts";
import { showBooks } from "#src/books/show-books.ts";
import { runChecks } from "#src/operate/checks/check.ts";
import { checkTitles } from "#src/operate/checks/contract.ts";
import { writesCheck } from "#src/operate/checks/database-checks.ts";
import { listPastTroubles, listTroubles, type Trouble } from "#src/operate/checks/noted-checks.ts";
import { findLateTimers, readBehindMs } from "#src/operate/work/late-work.ts";
import { countWorkers } from "#src/operate/work/queues.ts";
import { ROWS_SHOWN } from "./contract.ts";
import { readQueues } from "./failed-jobs.ts";
import { countWebhooks, findUndeliveredMails } from "./find-undelivered.ts";
import { listStarts, listSwitches } from "./process-starts.ts";
import type { OperationsView } from "./schemas.ts";

const ANSWER_WITHIN_MS = 1_000;

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
  const [refused, noted, past, switches, unpaid, feedBehindMs] = await Promise.all([
    findRefusedWrites(pool, now),
    listTroubles(db),
    listPastTroubles(db, ROWS_SHOWN),
    listSwitches(db),
    listUnpaidSettlements(db),
    readBehindMs(db),
  ]);
  const unnoted = noted.some(({ part }) => part === "writes") ? [] : refused;
  return {
    troubles: [...unnoted, ...noted]
      .toSorted((one, other) => orderOf(one) - orderOf(other))
      .map((row) => ({ ...presentTrouble(row), cure: row.cure })),
    pastTroubles: past.map((row) => ({ ...presentTrouble(row), endedAt: row.endedAt.toISOString() })),
    switches,
    unpaid: { count: unpaid.length, oldestAt: unpaid[0]?.createdAt.toISOString() ?? null },
    feedBehindMs,
  };
}

/** A database that takes no writes does not take a note of that either. */
async function findRefusedWrites(pool: DatabasePool, since: Date): Promise<Trouble[]> {
  const results = await runChecks({ pool }, [writesCheck], ANSWER_WITHIN_MS);
  return results.flatMap(({ severity, check: { part }, what, said, cure }) =>
    severity === null ? [] : [{ part, process: "", what, detail: said, cure, since }],
  );
}

const causesFirst = Object.keys(checkTitles);

/** Causes before what follows from them; what a later release knows comes last. */
function orderOf({ part }: Trouble): number {
  return causesFirst.findIndex((what) => what.startsWith(`${part} `)) >>> 0;
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
