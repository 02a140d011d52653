import { findIdleTransactions, type IdleTransaction } from "#db/idle-transactions.ts";
import type { Deps } from "#src/base/deps.ts";
import type { Queues } from "#src/base/queues.ts";
import type { Hub } from "#src/live/cable/hub.ts";
import { type CableLoad, slowestOf } from "#src/live/cable/loads.ts";
import { runChecks } from "#src/operate/checks/check.ts";
import { adminChecks } from "#src/operate/checks/checks.ts";
import { readBehindMs } from "#src/operate/work/late-work.ts";
import { countQueues, countWorkers, inTime } from "#src/operate/work/queues.ts";
import { countHeld } from "#src/show/join-codes/join-session.ts";
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
 */
export async function showHealth(
  deps: Deps,
  hub: Pick<Hub, "loads"> | undefined,
  { slugOrId, eventId }: { slugOrId: string; eventId: number | null },
): Promise<HealthView> {
  const { id: sessionId } = await requireSession(deps.pool.db, slugOrId);
  if (hub === undefined) throw new Error("the request came to no server");
  const { own, others } = await hub.loads.list();
  const loads = [own, ...(others ?? [])];
  const [parts, pace, held] = await Promise.all([
    checkParts(
      deps,
      loads.every(({ receives }) => receives),
    ),
    showPace(deps, { sessionId, eventId }),
    inTime(countHeld(deps, sessionId)),
  ]);
  return { parts, sockets: socketsOf(loads, others !== null), door: { held: held ?? 0 }, pace };
}

function socketsOf(loads: readonly CableLoad[], complete: boolean): Sockets {
  return {
    count: loads.reduce((total, { sockets }) => total + sockets, 0),
    slow: loads.reduce((total, { slow }) => total + slow, 0),
    slowestMs: slowestOf(loads.map(({ slowestMs }) => slowestMs)),
    complete,
  };
}

const partChecks = adminChecks.filter(({ part }) => part === "database" || part === "redis");

/**
 * Checks what a show runs on. It answers within two seconds, whatever is away.
 * @param receives whether the sockets of all processes can receive messages.
 */
async function checkParts(deps: Deps, receives: boolean): Promise<Parts> {
  const { db } = deps.pool;
  const [checked, idle, behindMs, jobs] = await Promise.all([
    runChecks(deps, partChecks, ANSWER_WITHIN_MS),
    inTime(findIdleTransactions(db)),
    inTime(readBehindMs(db)),
    inTime(countJobs(deps.queues)),
  ]);
  const answerOf = (part: string, slowFromMs: number) => {
    const { severity = null, tookMs = 0 } = checked.find(({ check }) => check.part === part) ?? {};
    const answerMs = severity === null ? Math.round(tookMs) : null;
    return { state: stateOf(answerMs, slowFromMs), answerMs };
  };
  // A Redis that answers and takes no writes, or lacks a right, is of no use.
  const redis = answerOf("redis", REDIS_SLOW_MS);
  const isSent = receives && redis.state !== "away";
  return {
    database: heldBy(idle?.[0], answerOf("database", DATABASE_SLOW_MS)),
    redis,
    queues: queuesOf(jobs),
    feed: { state: stateOf(isSent ? behindMs : null, FEED_SLOW_MS), behindMs: behindMs ?? 0 },
  };
}

function heldBy(idle: IdleTransaction | undefined, database: Parts["database"]): Parts["database"] {
  if (idle === undefined) return database;
  const { holder, since, eventIds } = idle;
  return { ...database, state: "slow", held: { holder, since: since.toISOString(), eventIds } };
}

function queuesOf(jobs: JobCounts | null): Parts["queues"] {
  if (jobs === null) return { state: "away", waiting: null, failed: null, working: null };
  return { state: jobs.working === false || jobs.waiting >= WAITING_MANY ? "slow" : "ok", ...jobs };
}

function stateOf(ms: number | null, slowFromMs: number): PartState {
  if (ms === null) return "away";
  return ms >= slowFromMs ? "slow" : "ok";
}

/** The jobs of all queues. `working`: whether a worker takes jobs; null where Redis does not list its clients. */
type JobCounts = { waiting: number; failed: number; working: boolean | null };

async function countJobs(queues: Queues): Promise<JobCounts> {
  const [counts, workers] = await Promise.all([countQueues({ queues }), countWorkers({ queues })]);
  const working = workers === null ? null : workers > 0;
  const sum = (state: "waiting" | "failed") => counts.reduce((total, queue) => total + queue[state], 0);
  return { waiting: sum("waiting"), failed: sum("failed"), working };
}
