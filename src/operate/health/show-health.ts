import type { Queryable } from "#db/client.ts";
import { findIdleTransactions } from "#db/idle-transactions.ts";
import type { Queues } from "#jobs/queues.ts";
import type { Deps } from "#src/base/deps.ts";
import { pingRedis } from "#src/base/redis.ts";
import type { Hub } from "#src/live/cable/hub.ts";
import { type CableLoad, slowestOf } from "#src/live/cable/loads.ts";
import { readBehindMs } from "#src/operate/operations/read-behind.ts";
import { requireSession } from "#src/show/sessions/find-session.ts";
import type { PartState } from "./contract.ts";
import type { HealthView, Parts, Sockets } from "./schemas.ts";
import { showPace } from "./show-pace.ts";

/** What has not answered by then is away. */
const ANSWER_WITHIN_MS = 1_500;

/** Slower answers delay what players see. */
const DATABASE_SLOW_MS = 250;
const REDIS_SLOW_MS = 100;

/** A fact is usually broadcast within milliseconds; the sweep broadcasts within a second what nobody was notified of. */
const FEED_SLOW_MS = 2_500;

/** Workers begin a job at once. This many waiting ones are more than a burst. */
const WAITING_MANY = 100;

/**
 * What a session runs on, and how the calls of an event arrive.
 * @param hub the sockets of this process, and what it knows about the others.
 * @throws Refusal 404 for an unknown session, and for an event of another one.
 */
export async function showHealth(
  deps: Deps,
  hub: Pick<Hub, "loads">,
  { slugOrId, eventId }: { slugOrId: string; eventId: number | null },
): Promise<HealthView> {
  const { id: sessionId } = await requireSession(deps.pool.db, slugOrId);
  const { own, others } = await hub.loads.list();
  const loads = [own, ...(others ?? [])];
  const [parts, pace] = await Promise.all([
    checkParts(
      deps,
      loads.every(({ receives }) => receives),
    ),
    showPace(deps, { sessionId, eventId }),
  ]);
  return { parts, sockets: socketsOf(loads, others !== null), pace };
}

function socketsOf(loads: readonly CableLoad[], complete: boolean): Sockets {
  return {
    count: loads.reduce((total, { sockets }) => total + sockets, 0),
    slow: loads.reduce((total, { slow }) => total + slow, 0),
    slowestMs: slowestOf(loads.map(({ slowestMs }) => slowestMs)),
    complete,
  };
}

/**
 * Checks what a show runs on. It answers within two seconds, whatever is away.
 * @param receives whether the sockets of all processes can receive messages.
 */
async function checkParts(deps: Deps, receives: boolean): Promise<Parts> {
  const [database, redis, jobs] = await Promise.all([
    timed(() => readDatabase(deps.pool.db)),
    timed(() => useRedis(deps)),
    timed(() => countJobs(deps.queues)),
  ]);
  return {
    database: databaseOf(database),
    redis: answerOf(redis, REDIS_SLOW_MS),
    queues: queuesOf(jobs?.result),
    feed: feedOf(
      receives && redis !== null ? database?.result.behindMs : undefined,
      database?.result.behindMs ?? 0,
    ),
  };
}

async function readDatabase(db: Queryable) {
  const [behindMs, idle] = await Promise.all([readBehindMs(db), findIdleTransactions(db)]);
  return { behindMs, idle };
}

function databaseOf(
  read: { result: Awaited<ReturnType<typeof readDatabase>>; ms: number } | null,
): Parts["database"] {
  const answered = answerOf(read, DATABASE_SLOW_MS);
  const [longest] = read?.result.idle ?? [];
  if (longest === undefined) return answered;
  const { holder, since, eventIds } = longest;
  return { ...answered, state: "slow", held: { holder, since: since.toISOString(), eventIds } };
}

/** A Redis that answers and takes no writes, or lacks a right, is of no use. */
async function useRedis({ redis, redisTrouble = () => null }: Deps): Promise<void> {
  await pingRedis(redis);
  const trouble = redisTrouble();
  if (trouble !== null) throw new Error(trouble);
}

/** @param waitedMs how long the oldest fact has waited; undefined if nothing can be broadcast. */
function feedOf(waitedMs: number | undefined, behindMs: number): Parts["feed"] {
  return { state: stateOf(waitedMs, FEED_SLOW_MS), behindMs };
}

function answerOf(answer: { ms: number } | null, slowFromMs: number): Parts["redis"] {
  return { state: stateOf(answer?.ms, slowFromMs), answerMs: answer?.ms ?? null };
}

function queuesOf(jobs: Awaited<ReturnType<typeof countJobs>> | undefined): Parts["queues"] {
  if (jobs === undefined) return { state: "away", waiting: null, failed: null, working: null };
  return { state: jobs.working === false || jobs.waiting >= WAITING_MANY ? "slow" : "ok", ...jobs };
}

function stateOf(ms: number | undefined, slowFromMs: number): PartState {
  if (ms === undefined) return "away";
  return ms >= slowFromMs ? "slow" : "ok";
}

/** Does some work and measures it, in milliseconds; null if it failed or took too long. */
async function timed<Result>(work: () => Promise<Result>): Promise<{ result: Result; ms: number } | null> {
  const startMs = performance.now();
  const timeout = Bun.sleep(ANSWER_WITHIN_MS).then(() => null);
  const done = work().then(
    (result) => ({ result, ms: Math.round(performance.now() - startMs) }),
    () => null,
  );
  return Promise.race([done, timeout]);
}

/** The jobs of all queues. `working`: whether a worker takes jobs; null where Redis does not list its clients. */
type JobCounts = { waiting: number; failed: number; working: boolean | null };

/** Counts the jobs of all queues. Rejects while Redis is away. */
async function countJobs({ byName }: Queues): Promise<JobCounts> {
  const queues = Object.values(byName);
  const [counts, working] = await Promise.all([
    Promise.all(queues.map((queue) => queue.getJobCounts("waiting", "prioritized", "failed"))),
    // One process has the workers of all queues.
    byName.transitions.getWorkersCount().then(
      (count) => count > 0,
      () => null,
    ),
  ]);
  const sum = (state: string) => counts.reduce((total, count) => total + (count[state] ?? 0), 0);
  return { waiting: sum("waiting") + sum("prioritized"), failed: sum("failed"), working };
}
