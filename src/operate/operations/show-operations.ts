import type { DatabasePool, Queryable } from "#db/client.ts";
import { findNewestSeal } from "#db/ledger/seal-journals.ts";
import type { Deps } from "#src/base/deps.ts";
import { listFailingRows } from "#src/base/try-rows.ts";
import { showBooks } from "#src/books/show-books.ts";
import { present } from "#src/http/present.ts";
import { runChecks } from "#src/operate/checks/check.ts";
import { checkTitles } from "#src/operate/checks/contract.ts";
import { writesCheck } from "#src/operate/checks/database-checks.ts";
import { type Fault, foldTroubles } from "#src/operate/checks/fold-troubles.ts";
import {
  listPastTroubles,
  listTroubles,
  type Trouble,
  troublesIn,
} from "#src/operate/checks/noted-checks.ts";
import { findLastBackup } from "#src/operate/work/backups.ts";
import { findLateSettlements, findLateTimers, readBehindMs } from "#src/operate/work/late-work.ts";
import { countQueues, countWorkers, inTime } from "#src/operate/work/queues.ts";
import { measureRoom } from "#src/operate/work/room.ts";
import { pushRows } from "#src/people/push/deliver-push.ts";
import { HAPPENED_SHOWN, ROWS_SHOWN } from "./contract.ts";
import { presentFailed, readFailed } from "./failed-jobs.ts";
import { countWebhooks, findUndeliveredMails, findWaiting } from "./find-undelivered.ts";
import { failingRowSchema, type OperationsView, sealSchema } from "./schemas.ts";
import { listShows, listStarts, listSwitches } from "./what-happened.ts";

const ANSWER_WITHIN_MS = 1_000;
/** One fault may be a row of each process, and of each part that follows from it. */
const PAST_READ = 200;

/** What runs behind the game, what needs attention, and what has happened. @param before what has happened is listed before this moment. */
export async function showOperations(
  deps: Pick<Deps, "env" | "log" | "pool" | "queues" | "redis">,
  now: Date,
  before?: Date,
): Promise<OperationsView> {
  const { db } = deps.pool;
  const [queues, workers, lateTimers, more, books, seal, mails, pushes, webhooks, room, happened] =
    await Promise.all([
      readQueues(deps, now),
      countWorkers(deps),
      findLateTimers(db),
      findMore(db),
      findBooks(db, now),
      findSeal(db),
      findUndeliveredMails(db),
      findWaiting(db, pushRows),
      countWebhooks(db),
      measureRoom(deps),
      listHappened(deps.pool, now, before),
    ]);
  const work = { queues, workers, lateTimers, mails, pushes, webhooks };
  return { ...more, ...happened, ...work, room, books, seal, serverTime: now.toISOString() };
}

/** What is wrong, what was, which processes have started, what was switched, and which shows have begun and ended. */
async function listHappened(pool: DatabasePool, now: Date, before: Date | undefined) {
  const { db } = pool;
  const [refused, noted, past, starts, switches, shows] = await Promise.all([
    findRefusedWrites(pool, now),
    listTroubles(db),
    listPastTroubles(db, PAST_READ, before),
    listStarts(db, before),
    listSwitches(db, before),
    listShows(db, before),
  ]);
  const unnoted = noted.some(({ part }) => part === "writes") ? [] : refused;
  const faults = foldTroubles([...unnoted, ...noted, ...past], now);
  const troubles = faults
    .filter(({ endedAt }) => endedAt === null)
    .toSorted((one, other) => orderOf(one) - orderOf(other))
    .map((fault) => ({ ...presentFault(fault), cure: fault.cure }));
  const pastTroubles = faults.flatMap((fault) =>
    fault.endedAt === null ? [] : [{ ...presentFault(fault), endedAt: fault.endedAt.toISOString() }],
  );
  const times = [
    ...pastTroubles.map(({ since }) => since),
    ...starts.map(({ startedAt }) => startedAt),
    ...[...switches, ...shows].map(({ at }) => at),
  ];
  // What is before the last row that was read is not known.
  const ends = [times.toSorted().at(-HAPPENED_SHOWN), past[PAST_READ - 1]?.since.toISOString()];
  const known = ends.filter((end) => end !== undefined).toSorted();
  const olderBefore = known.at(-1) ?? null;
  return { troubles, pastTroubles, starts, switches, shows, olderBefore };
}

/** What players wait for, the rows whose work fails, and the last backup. */
async function findMore(db: Queryable) {
  const [unpaid, feedBehindMs, failing, lastBackup] = await Promise.all([
    findLateSettlements(db),
    readBehindMs(db),
    listFailingRows(db, ROWS_SHOWN),
    findLastBackup(db),
  ]);
  return {
    unpaid: { count: unpaid.length, oldestAt: unpaid[0]?.createdAt.toISOString() ?? null },
    feedBehindMs,
    lastBackup,
    failingRows: failing.map((row) => present(failingRowSchema, row)),
  };
}

/** A database that takes no writes does not take a note of that either. */
async function findRefusedWrites(pool: DatabasePool, since: Date): Promise<Trouble[]> {
  return troublesIn(await runChecks({ pool }, [writesCheck], ANSWER_WITHIN_MS), { process: "", since });
}

const causesFirst = Object.keys(checkTitles);

/** In the order of their titles; what a later release knows comes last. */
function orderOf({ part }: Fault): number {
  return causesFirst.findIndex((what) => what.startsWith(`${part} `)) >>> 0;
}

function presentFault({ part, process, what, detail, since, follows }: Fault) {
  return { part, process, what, detail, since: since.toISOString(), follows };
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
  return seal === null ? null : present(sealSchema, seal);
}

/** The queues with their counts, and the failed jobs of all of them; null while Redis is away. */
async function readQueues(
  { queues, pool: { db } }: Pick<Deps, "queues" | "pool">,
  now: Date,
): Promise<OperationsView["queues"]> {
  const read = await inTime(Promise.all([countQueues({ queues }), readFailed(queues)]));
  if (read === null) return null;
  const [counts, jobs] = read;
  return { counts, failed: await presentFailed(db, jobs, now) };
}
