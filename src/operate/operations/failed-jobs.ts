import { eq } from "drizzle-orm";
import * as v from "valibot";
import type { Queryable } from "#db/client.ts";
import { listUnpaidSettlements } from "#db/ledger/list-settlements.ts";
import { anyOf } from "#db/ledger/query.ts";
import { events } from "#db/schema/events.ts";
import { sessions } from "#db/schema/sessions.ts";
import type { Actor } from "#src/base/audit.ts";
import type { Deps } from "#src/base/deps.ts";
import { hideValues } from "#src/base/describe-error.ts";
import { listOpen } from "#src/base/due-rows.ts";
import { notFound, Refusal, unavailable } from "#src/base/refusal.ts";
import { mailRows } from "#src/mail/write-mail.ts";
import type { Queue } from "#src/operate/work/queues.ts";
import { auditProcess } from "#src/operate/work/starts.ts";
import { deliveryRows } from "#src/webhooks/deliver-webhook.ts";
import { RETRY_ACTION, ROWS_SHOWN } from "./contract.ts";
import type { FailedJobView } from "./schemas.ts";

/** How many failed jobs of each queue are looked at; the queue dashboard has the others. */
const READ_MAX = 100;
const REASON_LENGTH_MAX = 300;

type Job = Awaited<ReturnType<Queue["getFailed"]>>[number];

/** The newest failed jobs of all queues, the newest first. Rejects while Redis is away. */
export async function readFailed({ byName }: Deps["queues"]): Promise<Job[]> {
  const jobs = await Promise.all(Object.values(byName).map((queue) => queue.getFailed(0, READ_MAX - 1)));
  return jobs.flat().toSorted((one, other) => failedAtMs(other) - failedAtMs(one));
}

/** Why a job has failed, as operators read it: without the statement of the database, and without values. */
const reasonOf = ({ failedReason }: Job) =>
  hideValues(failedReason.split("\nparams:")[0] ?? "").slice(0, REASON_LENGTH_MAX);

/** Jobs that do the same have failed for the same reason, whatever number it names. */
const kindOf = (name: string, reason: string) => `${name} ${reason.replaceAll(/\d+/g, "0")}`;

/** Failed jobs of one kind are one row, with their number. What something else has done since comes last. */
export async function presentFailed(
  db: Queryable,
  jobs: readonly Job[],
  now: Date,
): Promise<FailedJobView[]> {
  const [byId, isOpen] = await Promise.all([findEvents(db, jobs), findOpenWork(db, jobs)]);
  const presented = jobs.map((job) =>
    presentJob(job, { event: byId.get(readData(job).eventId ?? 0), isOpen, now }),
  );
  const kinds = Map.groupBy(
    presented,
    ({ queue, name, reason, isOpen: open }) => `${queue} ${open} ${kindOf(name, reason)}`,
  );
  return [...kinds.values()]
    .flatMap((alike) => joinAlike(alike))
    .toSorted((one, other) => Number(one.isOpen === false) - Number(other.isOpen === false))
    .slice(0, ROWS_SHOWN);
}

function joinAlike(alike: readonly FailedJobView[]): FailedJobView[] {
  return alike.slice(0, 1).map((job) => ({
    ...job,
    event: alike.every(({ event }) => event?.id === job.event?.id) ? job.event : null,
    lateMs: Math.max(...alike.map(({ lateMs }) => lateMs)),
    count: alike.length,
  }));
}

/** Runs a failed job again with all that are alike. @throws Refusal 404 for an unknown one, 409 for one that has not failed, 503 while Redis is away. */
export async function retryJobs(
  { queues, pool, log }: Pick<Deps, "queues" | "pool" | "log">,
  { queue: name, jobId, actor }: { queue: string; jobId: string; actor: Actor },
): Promise<void> {
  const queue = Object.values(queues.byName).find((each) => each.name === name);
  if (queue === undefined) throw notFound();
  const find = async () => Promise.all([queue.getJob(jobId), queue.getFailed()]);
  const [job, failed] = await find().catch((error: unknown) => {
    log.warn({ err: error, queue: name, job: jobId }, "jobs could not be retried");
    throw unavailable();
  });
  if (job === undefined) throw notFound();
  if (!failed.some(({ id }) => id === jobId)) {
    throw new Refusal(409, "not_failed", "not failed", {
      detail: "The job has not failed, or was retried already.",
    });
  }
  const kind = kindOf(job.name, reasonOf(job));
  const alike = failed.filter((each) => kindOf(each.name, reasonOf(each)) === kind);
  const tried = await Promise.allSettled(alike.map((each) => each.retry("failed")));
  const jobs = tried.filter(({ status }) => status === "fulfilled").length;
  if (jobs === 0) throw unavailable();
  await auditProcess(pool.db, RETRY_ACTION, { after: { queue: name, jobs, by: actor?.id ?? null } });
}

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

type JobEvent = NonNullable<FailedJobView["event"]> & { dueAt: Date | null; scheduleVersion: number };

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
const openRows: Readonly<Record<string, (db: Queryable, ids: readonly number[]) => Promise<number[]>>> = {
  mails: (db, ids) => listOpen(db, mailRows, ids),
  webhooks: (db, ids) => listOpen(db, deliveryRows, ids),
  settlements: async (db, ids) => (await listUnpaidSettlements(db, ids)).map(({ eventId }) => eventId),
};

/** @returns says whether the work of one of these jobs is still to be done; null where only the job knows. */
async function findOpenWork(db: Queryable, jobs: readonly Job[]): Promise<(job: Job) => boolean | null> {
  const rowIdIn = (job: Job) => {
    const { mailId, deliveryId, eventId } = readData(job);
    return mailId ?? deliveryId ?? eventId;
  };
  const found = Object.entries(openRows).map(async ([queue, listOf]) => {
    const ids = jobs.flatMap((job) => (job.queueName === queue ? (rowIdIn(job) ?? []) : []));
    return [queue, new Set(ids.length === 0 ? [] : await listOf(db, ids))] as const;
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
    reason: reasonOf(job),
  };
}

/** Whether the transition of an alarm is still to be done; null for other jobs. The sweep does what no job has done. */
function dueIn(event: JobEvent, { eventId, version }: JobData): { isOpen: boolean; dueMs: number } | null {
  if (eventId === undefined || version === undefined) return null;
  const dueMs = event.dueAt?.getTime() ?? 0;
  return { isOpen: event.dueAt !== null && event.scheduleVersion === version, dueMs };
}

const failedAtMs = ({ finishedOn, timestamp }: Job) => finishedOn ?? timestamp;
