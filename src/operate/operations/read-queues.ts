import * as v from "valibot";
import type { Deps } from "#src/base/deps.ts";
import { hideValues } from "#src/base/describe-error.ts";
import { FAILED_JOBS_SHOWN } from "./contract.ts";
import { findJobEvents, type JobEvent } from "./find-job-events.ts";
import { findOpenWork } from "./find-open-work.ts";
import type { FailedJobView, OperationsView, QueueView } from "./schemas.ts";

const REASON_LENGTH_MAX = 300;
/** Redis that is away answers at once, or not at all. */
const ANSWER_WITHIN_MS = 1_500;

type QueueDeps = Pick<Deps, "queues" | "pool">;
type Queue = Deps["queues"]["byName"][keyof Deps["queues"]["byName"]];
type Job = Awaited<ReturnType<Queue["getFailed"]>>[number];

/** The queues with their counts, and the newest failed jobs of all of them; null while Redis is away. */
export async function readQueues({ queues, pool }: QueueDeps, now: Date): Promise<OperationsView["queues"]> {
  const all = Object.values(queues.byName);
  const read = await inTime(Promise.all(all.map(readQueue)));
  if (read === null) return null;
  const failed = read
    .flatMap(({ jobs }) => jobs)
    .toSorted((one, other) => failedAtMs(other) - failedAtMs(one))
    .slice(0, FAILED_JOBS_SHOWN);
  const eventIds = failed.flatMap((job) => eventIdIn(job) ?? []);
  const [events, isOpen] = await Promise.all([
    findJobEvents(pool.db, eventIds),
    findOpenWork(pool.db, failed),
  ]);
  const presented = failed.map((job) =>
    presentJob(job, { event: events.get(eventIdIn(job) ?? 0), isOpen, now }),
  );
  return {
    counts: read.map(({ counts }) => counts),
    // What something else has done since comes last.
    failed: presented.toSorted((one, other) => Number(one.isOpen === false) - Number(other.isOpen === false)),
  };
}

/** The worker processes that take jobs; null while Redis is away, and where it lists no clients. */
export function countWorkers({ queues }: Pick<Deps, "queues">): Promise<number | null> {
  // One process has the workers of all queues. A connection that ends is off the list at once, however its process has ended.
  return inTime(queues.byName.transitions.getWorkersCount());
}

async function inTime<Answer>(reading: Promise<Answer>): Promise<Answer | null> {
  const answered = reading.catch(() => null);
  return Promise.race([answered, Bun.sleep(ANSWER_WITHIN_MS).then(() => null)]);
}

async function readQueue(queue: Queue): Promise<{ counts: QueueView; jobs: Job[] }> {
  const [counts, jobs] = await Promise.all([countQueue(queue), queue.getFailed(0, FAILED_JOBS_SHOWN - 1)]);
  return { counts, jobs };
}

/** The queues with their counts. Rejects while Redis is away. */
export function countQueues({ queues }: Pick<Deps, "queues">): Promise<QueueView[]> {
  return Promise.all(Object.values(queues.byName).map(countQueue));
}

/** The names of the queues that somebody has paused. Rejects while Redis is away. */
export async function listPausedQueues({ queues }: Pick<Deps, "queues">): Promise<string[]> {
  const all = Object.values(queues.byName);
  const paused = await Promise.all(all.map((queue) => queue.isPaused()));
  return all.flatMap(({ name }, index) => (paused[index] === true ? [name] : []));
}

async function countQueue(queue: Queue): Promise<QueueView> {
  const [counts, paused] = await Promise.all([
    queue.getJobCounts("waiting", "prioritized", "active", "delayed", "failed", "completed"),
    queue.isPaused(),
  ]);
  const { waiting = 0, prioritized = 0, active = 0, delayed = 0, failed = 0, completed = 0 } = counts;
  return { name: queue.name, paused, waiting: waiting + prioritized, active, delayed, failed, completed };
}

const alarmData = v.object({ eventId: v.number(), version: v.optional(v.number()) });
const pushData = v.object({ about: v.literal("event"), id: v.number() });

/** The event that a job is about; null for another job, and for one whose data is broken. */
function eventIdIn({ data }: Job): number | null {
  if (v.is(alarmData, data)) return data.eventId;
  return v.is(pushData, data) ? data.id : null;
}

type About = { event: JobEvent | undefined; isOpen: (job: Job) => boolean | null; now: Date };

function presentJob(job: Job, { event, isOpen, now }: About): FailedJobView {
  const due = event === undefined ? null : dueIn(event, job);
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
function dueIn(event: JobEvent, { data }: Job): { isOpen: boolean; dueMs: number } | null {
  if (!v.is(alarmData, data) || data.version === undefined) return null;
  const dueMs = event.dueAt?.getTime() ?? 0;
  return { isOpen: event.dueAt !== null && event.scheduleVersion === data.version, dueMs };
}

function failedAtMs({ finishedOn, timestamp }: Job): number {
  return finishedOn ?? timestamp;
}
