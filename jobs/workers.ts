import { DelayedError, type Job, MetricsTime, Worker, type WorkerOptions } from "bullmq";
import * as v from "valibot";
import { isDatabaseAway } from "#db/pool/database-errors.ts";
import { type CarriedCause, readCarried, runFor } from "#src/base/cause.ts";
import type { Deps } from "#src/base/deps.ts";
import { explainError } from "#src/base/describe-error.ts";
import { outagePauseSeconds } from "#src/base/due-rows.ts";
import { measureJob } from "#src/base/instruments.ts";
import { type JobKind, jobKinds, type JobPayload, queueDefinitions } from "#src/base/queues.ts";
import { queuePrefix } from "#src/base/redis-keys.ts";
import { type RedisClient, WAIT_FOR_JOB_MAX_S } from "#src/base/redis.ts";
import { inSpan, type SpanDetails } from "#src/base/spans.ts";
import { performDryRun } from "#src/dry-runs/simulate/perform-dry-run.ts";
import { deliverMail } from "#src/mail/deliver-mail.ts";
import { makeAvatar } from "#src/people/pictures/make-avatar.ts";
import { deliverOrder, deliverPush, writePushes } from "#src/people/push/deliver-push.ts";
import { composeMail } from "#src/people/users/compose-mail.ts";
import { payTogether } from "#src/play/settlements/pay-together.ts";
import { makePicture } from "#src/shares/store-picture.ts";
import { performTransition } from "#src/show/timers/perform-transition.ts";
import { deliverWebhook } from "#src/webhooks/deliver-webhook.ts";

/** How many jobs were done and failed, for each minute of a week; the dashboard draws it. */
const metrics = { maxDataPoints: MetricsTime.ONE_WEEK };

/** For so long a job waits for a database that is away. */
const AWAY_MAX_S = 6 * 3_600;

type QueueWorker<Payload> = {
  options: Omit<WorkerOptions, "connection">;
  /**
   * Does the job, through one verb.
   * @param isStopping true once this worker is closing: long work should end then, and run again elsewhere.
   * @returns null or nothing when it is done; otherwise the milliseconds after which the same job runs again.
   */
  run: (deps: Deps, payload: Payload, isStopping: () => boolean) => Promise<number | null> | Promise<void>;
};

/** How the jobs of each queue are done; the keys and payloads are those of `src/base/queues.ts`. */
export const workers: { readonly [Kind in JobKind]: QueueWorker<JobPayload<Kind>> } = {
  setAlarm: {
    // Alarms that are due at once run together, because transitions of a kind share transactions. A job takes milliseconds:
    // one whose worker died runs again within seconds.
    options: { concurrency: 256, lockDuration: 5_000, stalledInterval: 3_000, maxStalledCount: 5 },
    run: async (deps, alarm) => {
      const earlyMs = await performTransition(deps, alarm);
      return earlyMs === 0 ? null : earlyMs;
    },
  },
  paySettlement: {
    // Small settlements that are due at once run together; the verb limits how many large ones run.
    options: { concurrency: 64, lockDuration: 10_000, stalledInterval: 5_000, maxStalledCount: 5 },
    // One run pays for a limited time, so that stopping never waits for the end of a large settlement.
    run: async (deps, { eventId }) => ((await payTogether(deps, eventId)) === "unfinished" ? 0 : null),
  },
  sendMail: {
    // A mail server may be slow, and a mail that was sent twice cannot be taken back.
    options: { concurrency: 5, lockDuration: 30_000, stalledInterval: 30_000, maxStalledCount: 5 },
    run: (deps, { mailId }) => deliverMail(deps, mailId, composeMail),
  },
  makeAvatar: {
    // Each picture takes a core, and memory for its pixels.
    options: { concurrency: 1 },
    run: makeAvatar,
  },
  drawPicture: {
    // A thread draws one after the other.
    options: { concurrency: 2, lockDuration: 30_000 },
    run: (deps, { shareId }) => makePicture(deps, shareId),
  },
  performDryRun: {
    // One plays at a time: it keeps a core of the database busy, and players must not notice.
    options: { concurrency: 1, lockDuration: 30_000 },
    run: async (deps, { dryRunId }, isStopping) =>
      (await performDryRun(deps, dryRunId, isStopping)) === "interrupted" ? 0 : null,
  },
  deliverWebhook: {
    // They wait for the receivers most of the time, and must not wait for one that answers nobody.
    options: { concurrency: 50, lockDuration: 30_000 },
    run: (deps, { deliveryId }) => deliverWebhook(deps, deliveryId),
  },
  fanOutPushes: {
    options: { concurrency: 2, lockDuration: 30_000 },
    run: writePushes,
  },
  sendPush: {
    // They wait for the push services most of the time.
    options: { concurrency: 20, lockDuration: 30_000 },
    run: (deps, push) => ("pushId" in push ? deliverPush(deps, push.pushId) : deliverOrder(deps, push)),
  },
};

/** Starts the workers of all queues. The caller closes them, and afterwards the connection. */
export function startWorkers(deps: Deps, connection: RedisClient): Worker[] {
  return jobKinds.map((kind) => startWorker(kind, deps, connection));
}

/** A worker that also waits no longer at once while jobs are due later. BullMQ would wait for 10 s, also on a connection that is dead. */
class PromptWorker extends Worker {
  override get maximumBlockTimeout(): number {
    return WAIT_FOR_JOB_MAX_S;
  }
}

export function startWorker<Kind extends JobKind>(kind: Kind, deps: Deps, connection: RedisClient): Worker {
  const definitions: { readonly [Each in JobKind]: { payload: v.GenericSchema<JobPayload<Each>> } } =
    queueDefinitions;
  const { payload } = definitions[kind];
  const { options, run } = workers[kind];
  const worker: Worker = new PromptWorker(
    queueDefinitions[kind].name,
    async (job, token) => {
      const isStopping = () => worker.closing !== undefined;
      const againInMs = await runJob(
        job,
        async () => (await run(deps, v.parse(payload, job.data), isStopping)) ?? null,
      );
      if (againInMs === null) return;
      await job.moveToDelayed(Date.now() + againInMs, token);
      throw new DelayedError();
    },
    {
      connection,
      prefix: queuePrefix(connection, queueDefinitions[kind].name),
      metrics,
      drainDelay: WAIT_FOR_JOB_MAX_S,
      ...options,
    },
  );
  return worker;
}

/**
 * Runs a job as what its request has caused, and counts it. A job that waited for its time is a trace of its own. One that fails because the
 * database is away waits until it is back, after the usual attempts.
 */
async function runJob(job: Job, run: () => Promise<number | null>): Promise<number | null> {
  const { requestId, traceparent } = causeOf(job) ?? { requestId: null, traceparent: null };
  const isLater = (job.opts.delay ?? 0) > 0;
  const details: SpanDetails = {
    kind: "consumer",
    attributes: { "messaging.destination.name": job.queueName },
    ...(traceparent !== null && (isLater ? { links: [traceparent] } : { parent: traceparent })),
  };
  const startedAtMs = performance.now();
  try {
    const againInMs = await runFor({ requestId, span: null }, () => inSpan(`job ${job.name}`, run, details));
    measureJob(job.queueName, againInMs === null ? "done" : "again", startedAtMs);
    return againInMs;
  } catch (error) {
    const isLast = job.attemptsMade + 1 >= (job.opts.attempts ?? 1);
    const lateS = (Date.now() - job.timestamp - (job.opts.delay ?? 0)) / 1_000;
    if (isLast && isDatabaseAway(error) && lateS < AWAY_MAX_S) {
      measureJob(job.queueName, "again", startedAtMs);
      return outagePauseSeconds(lateS) * 1_000;
    }
    measureJob(job.queueName, "failed", startedAtMs);
    // BullMQ stores the message, and operators read it.
    throw new Error(explainError(error), { cause: error });
  }
}

/** What added a job; null for one that no request has caused. */
export function causeOf(job: Job): CarriedCause | null {
  return readCarried(job.opts.telemetry?.metadata);
}
