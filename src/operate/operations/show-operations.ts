import { and, eq, isNull } from "drizzle-orm";
import * as v from "valibot";
import { anyOf } from "#db/any-of.ts";
import type { DatabasePool, Queryable } from "#db/client.ts";
import { listUnpaidSettlements } from "#db/ledger/list-unpaid-settlements.ts";
import { findNewestSeal } from "#db/ledger/seal-journals.ts";
import { events } from "#db/schema/events.ts";
import { mails } from "#db/schema/mails.ts";
import { sessions } from "#db/schema/sessions.ts";
import { webhookDeliveries } from "#db/schema/webhooks.ts";
import type { Deps } from "#src/base/deps.ts";
import { hideValues } from "#src/base/describe-error.ts";
import { listFailingRows } from "#src/base/try-rows.ts";
import { showBooks } from "#src/books/show-books.ts";
import { runChecks } from "#src/operate/checks/check.ts";
import { checkTitles } from "#src/operate/checks/contract.ts";
import { writesCheck } from "#src/operate/checks/database-checks.ts";
import { type Fault, foldTroubles } from "#src/operate/checks/fold-troubles.ts";
import { listPastTroubles, listTroubles, type Trouble, troubleOf } from "#src/operate/checks/noted-checks.ts";
import { findLateSettlements, findLateTimers, readBehindMs } from "#src/operate/work/late-work.ts";
import { countQueues, countWorkers, inTime, type Queue } from "#src/operate/work/queues.ts";
import { pushRows } from "#src/people/push/deliver-push.ts";
import { measureRoom } from "#src/operate/work/room.ts";
import { ROWS_SHOWN } from "./contract.ts";
import { countWebhooks, findUndeliveredMails, findWaiting } from "./find-undelivered.ts";
import { listStarts, listSwitches } from "./process-starts.ts";
import type { FailedJobView, OperationsView } from "./schemas.ts";

const ANSWER_WITHIN_MS = 1_000;
/** One fault may be a row of each process, and of each part that follows from it. */
const PAST_READ = 200;

/** What runs behind the game, and what of it needs attention. */
export async function showOperations(
  deps: Pick<Deps, "env" | "log" | "pool" | "queues" | "redis">,
  now: Date,
): Promise<OperationsView> {
  const { db } = deps.pool;
  const [queues, workers, lateTimers, failing, books, seal, mails, pushes, webhooks, starts, room, more] =
    await Promise.all([
      readQueues(deps, now),
      countWorkers(deps),
      findLateTimers(db),
      listFailingRows(db, ROWS_SHOWN),
      findBooks(db, now),
      findSeal(db),
      findUndeliveredMails(db),
      findWaiting(db, pushRows),
      countWebhooks(db),
      listStarts(db),
      measureRoom(deps),
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
    room,
    queues,
    workers,
    lateTimers,
    failingRows,
    books,
    seal,
    mails,
    pushes,
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
    listPastTroubles(db, PAST_READ),
    listSwitches(db),
    findLateSettlements(db),
    readBehindMs(db),
  ]);
  const unnoted = noted.some(({ part }) => part === "writes") ? [] : refused;
  const faults = foldTroubles([...unnoted, ...noted, ...past], now);
  return {
    troubles: faults
      .filter(({ endedAt }) => endedAt === null)
      .toSorted((one, other) => orderOf(one) - orderOf(other))
      .map((fault) => ({ ...presentFault(fault), cure: fault.cure })),
    pastTroubles: faults
      .flatMap((fault) =>
        fault.endedAt === null ? [] : [{ ...presentFault(fault), endedAt: fault.endedAt.toISOString() }],
      )
      .slice(0, ROWS_SHOWN),
    switches,
    unpaid: { count: unpaid.length, oldestAt: unpaid[0]?.createdAt.toISOString() ?? null },
    feedBehindMs,
  };
}

/** A database that takes no writes does not take a note of that either. */
async function findRefusedWrites(pool: DatabasePool, since: Date): Promise<Trouble[]> {
  const results = await runChecks({ pool }, [writesCheck], ANSWER_WITHIN_MS);
  return results.flatMap((result) =>
    result.severity === null ? [] : [troubleOf(result, { process: "", since })],
  );
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
  return seal === null ? null : { hash: seal.hash, sealedAt: seal.sealedAt.toISOString() };
}

/** How many failed jobs are listed; the queue dashboard has the others. */
const LISTED_MAX = 25;
const REASON_LENGTH_MAX = 300;

type Job = Awaited<ReturnType<Queue["getFailed"]>>[number];

/** What the data of jobs says that is looked up here. Of a job whose data is broken it is nothing. */
const jobData = v.fallback(
  v.object({
    mailId: v.optional(v.number()),
    deliveryId: v.optional(v.number()),
    eventId: v.optional(v.number()),
    /** Of an alarm: as the event was scheduled then. */
    version: v.optional(v.number()),
  }),
  {},
);
type JobData = v.InferOutput<typeof jobData>;
const readData = ({ data }: Job) => v.parse(jobData, data);

/** The queues with their counts, and the newest failed jobs of all of them; null while Redis is away. */
async function readQueues(
  { queues, pool: { db } }: Pick<Deps, "queues" | "pool">,
  now: Date,
): Promise<OperationsView["queues"]> {
  const failedOf = (queue: Queue) => queue.getFailed(0, LISTED_MAX - 1);
  const jobsOfAll = Promise.all(Object.values(queues.byName).map(failedOf));
  const read = await inTime(Promise.all([countQueues({ queues }), jobsOfAll]));
  if (read === null) return null;
  const [counts, jobs] = read;
  const failed = jobs
    .flat()
    .toSorted((one, other) => failedAtMs(other) - failedAtMs(one))
    .slice(0, LISTED_MAX);
  const [byId, isOpen] = await Promise.all([findEvents(db, failed), findOpenWork(db, failed)]);
  const presented = failed.map((job) =>
    presentJob(job, { event: byId.get(readData(job).eventId ?? 0), isOpen, now }),
  );
  // What something else has done since comes last.
  const doneLast = presented.toSorted(
    (one, other) => Number(one.isOpen === false) - Number(other.isOpen === false),
  );
  return { counts, failed: doneLast };
}

type JobEvent = NonNullable<FailedJobView["event"]> & { dueAt: Date | null; scheduleVersion: number };

/** The events that jobs are about, by their ids. */
async function findEvents(db: Queryable, jobs: readonly Job[]): Promise<ReadonlyMap<number, JobEvent>> {
  const ids = [...new Set(jobs.flatMap((job) => readData(job).eventId ?? []))].filter(Number.isSafeInteger);
  if (ids.length === 0) return new Map();
  const { id, title, dueAt, scheduleVersion } = events;
  const rows = await db
    .select({ id, title, sessionSlug: sessions.slug, dueAt, scheduleVersion })
    .from(events)
    .leftJoin(sessions, eq(sessions.id, events.sessionId))
    .where(anyOf(id, ids));
  return new Map(rows.map((row) => [row.id, row]));
}

/** The rows of these whose work is still to be done, by queue: sweeps do it too. */
const openRows: Readonly<
  Record<string, (db: Queryable, ids: readonly number[]) => Promise<{ id: number }[]>>
> = {
  mails: (db, ids) =>
    db
      .select({ id: mails.id })
      .from(mails)
      .where(and(anyOf(mails.id, ids), isNull(mails.sentAt), isNull(mails.failedAt))),
  webhooks: (db, ids) => {
    const { id, deliveredAt, failedAt } = webhookDeliveries;
    const isOpen = and(anyOf(id, ids), isNull(deliveredAt), isNull(failedAt));
    return db.select({ id }).from(webhookDeliveries).where(isOpen);
  },
  settlements: async (db, ids) =>
    (await listUnpaidSettlements(db, ids)).map(({ eventId }) => ({ id: eventId })),
};

/** @returns says whether the work of one of these jobs is still to be done; null where only the job knows. */
async function findOpenWork(db: Queryable, jobs: readonly Job[]): Promise<(job: Job) => boolean | null> {
  const rowIdIn = (job: Job) => {
    const { mailId, deliveryId, eventId } = readData(job);
    return mailId ?? deliveryId ?? eventId;
  };
  const found = Object.entries(openRows).map(async ([queue, listOpen]) => {
    const ids = jobs.flatMap((job) => (job.queueName === queue ? (rowIdIn(job) ?? []) : []));
    const rows = ids.length === 0 ? [] : await listOpen(db, ids);
    return [queue, new Set(rows.map(({ id }) => id))] as const;
  });
  const open = new Map(await Promise.all(found));
  return (job) => {
    const id = rowIdIn(job);
    return id === undefined ? null : (open.get(job.queueName)?.has(id) ?? null);
  };
}

type About = { event: JobEvent | undefined; isOpen: (job: Job) => boolean | null; now: Date };

function presentJob(job: Job, { event, isOpen, now }: About): FailedJobView {
  const due = event === undefined ? null : dueIn(event, readData(job));
  const atMs = failedAtMs(job);
  return {
    queue: job.queueName,
    id: job.id ?? "",
    name: job.name,
    event: event === undefined ? null : { id: event.id, title: event.title, sessionSlug: event.sessionSlug },
    lateMs: Math.max(0, due?.isOpen === true ? now.getTime() - due.dueMs : atMs - job.timestamp - job.delay),
    isOpen: due?.isOpen ?? isOpen(job),
    failedAt: new Date(atMs).toISOString(),
    attempts: job.attemptsMade,
    reason: hideValues(job.failedReason.split("\nparams:")[0] ?? "").slice(0, REASON_LENGTH_MAX),
  };
}

/** Whether the transition of an alarm is still to be done; null for other jobs. The sweep does what no job has done. */
function dueIn(event: JobEvent, { eventId, version }: JobData): { isOpen: boolean; dueMs: number } | null {
  if (eventId === undefined || version === undefined) return null;
  const dueMs = event.dueAt?.getTime() ?? 0;
  return { isOpen: event.dueAt !== null && event.scheduleVersion === version, dueMs };
}

function failedAtMs({ finishedOn, timestamp }: Job): number {
  return finishedOn ?? timestamp;
}
