import { type Job, Queue } from "bullmq";
import { sql } from "drizzle-orm";
import * as v from "valibot";
import { connectRedis } from "#src/base/redis.ts";
import { startWorkerProcess } from "#tests/faults/worker-process.ts";
import { buildPlayer } from "#tests/support/build.ts";
import { waitFor } from "#tests/support/wait-for.ts";
import { type BenchDeps, openBenchDeps } from "../bench-deps.ts";
import { type Callers, signInCallers } from "../callers.ts";
import { interleave, startHelper } from "../harness.ts";
import { startWeb } from "../start-web.ts";
import { atMost, type Goal, median, quantile, show, showRatio, type Table } from "../table.ts";
import { type DueEvent, type DuePlan, openDueEvents } from "./open-due-events.ts";

const ROUNDS = 3;
/** From setting the alarms to the first due time. */
const LEAD_MS = 4_000;
const GIVE_UP_MS = 60_000;
const CALLS_PER_SECOND = 300;
const PLAYERS = 10;

/** `goal`: how late the transitions may be, in ms, at that share of them. */
type Load = Omit<DuePlan, "leadMs"> & { name: string; goal: { atShare: number; ms: number }; calls?: true };
const loads: readonly Load[] = [
  {
    name: "2,000 closes within 1 s",
    transition: "close_event",
    count: 2_000,
    withinMs: 1_000,
    goal: { atShare: 0.99, ms: 40 },
  },
  {
    name: "idle: 40 closes within 4 s",
    transition: "close_event",
    count: 40,
    withinMs: 4_000,
    goal: { atShare: 0.99, ms: 10 },
  },
  {
    name: "100 results at once",
    transition: "resolve",
    count: 100,
    withinMs: 0,
    goal: { atShare: 1, ms: 150 },
  },
  {
    name: "200 closes within 1 s, with calls",
    transition: "close_event",
    count: 200,
    withinMs: 1_000,
    goal: { atShare: 0.99, ms: 25 },
    calls: true,
  },
];

/** How late each of some transitions was, in ms. */
type Lateness = readonly number[];
/** What one round has measured, by the name of its row. */
type Sides = Map<string, Lateness>;
/** A process that does jobs of BullMQ which do nothing. */
type PlainWorker = { queue: Queue };

/**
 * Measures how late transitions of a running session are when many are due at once: from the due time to the commit. They are performed by a
 * worker in a process of its own, as in production, with its relay and its sweep. The baseline is delayed jobs of BullMQ that do
 * nothing, in such a process on the same Redis: from the due time to the end of the job. During the last load players place calls on the same
 * events through a web process.
 */
export async function benchTimers(): Promise<Table> {
  const deps = await openBenchDeps({ commitTimes: true });
  const worker = await startWorkerProcess(deps);
  const web = await startWeb(deps, { variables: { NODE_ENV: "test", RATE_LIMITS: "off" } });
  const plain = await startPlainWorker(deps);
  try {
    const players = await Promise.all(
      Array.from({ length: PLAYERS }, () => buildPlayer(deps, { balanceCents: 10_000_000 })),
    );
    const callers = await signInCallers(deps, web.origin);
    const measured: Measured[] = [];
    for (const load of loads) measured.push(await measure(deps, load, { plain, players, callers }));
    return {
      title: "timers: lateness in ms, medians of interleaved rounds",
      rows: [["", "", "p50", "p99", "max", "p99 ratio"], ...measured.flatMap(({ rows }) => rows)],
      goals: measured.map(({ goal }) => goal),
      notes: [
        `With calls: ${CALLS_PER_SECOND} per second over HTTP, on the events that close. Results: 10 calls each.`,
      ],
    };
  } finally {
    await plain.stop();
    await web.stop();
    await worker.stop();
    await deps.close();
  }
}

type Cast = { plain: PlainWorker; players: readonly { id: number }[]; callers: Callers };

type Measured = { rows: string[][]; goal: Goal };

async function measure(deps: BenchDeps, load: Load, { plain, players, callers }: Cast): Promise<Measured> {
  const during = async (run: (due: readonly DueEvent[]) => Promise<Sides>) => {
    const due = await openDueEvents(deps, { ...load, leadMs: LEAD_MS }, players);
    const calling = load.calls && callers.call(due, CALLS_PER_SECOND);
    const sides = await run(due);
    await calling?.stop();
    return sides;
  };
  // The first round is a warm-up.
  const measured = await interleave(
    [
      () => during((due) => runPlainJobs(deps, plain, due)),
      () => during((due) => runAlarms(deps, due, load.transition)),
    ],
    { rounds: ROUNDS, warmUps: 1 },
  );
  const rounds = Map.groupBy(
    measured.flat().flatMap((sides) => [...sides]),
    ([side]) => side,
  );
  return describe(load, new Map([...rounds].map(([side, each]) => [side, each.map(([, ms]) => ms)])));
}

function describe({ name, goal }: Load, sides: ReadonlyMap<string, Lateness[]>): Measured {
  const at = (side: string, share: number) =>
    median((sides.get(side) ?? []).map((round) => quantile(round, share)));
  const rows = [...sides.keys()].map((side, index) => [
    index === 0 ? name : "",
    side,
    ...[0.5, 0.99, 1].map((share) => show(at(side, share))),
    index === 0 ? "" : showRatio(at(side, 0.99) / at("BullMQ", 0.99)),
  ]);
  const [, product = ""] = sides.keys();
  const what = `${name}, ${goal.atShare === 1 ? "the latest" : "p99"}`;
  return { rows, goal: atMost(goal.ms, { what, measured: at(product, goal.atShare), unit: "ms" }) };
}

async function startPlainWorker({ env }: BenchDeps): Promise<PlainWorker & { stop: () => Promise<void> }> {
  const name = `plain-${crypto.randomUUID()}`;
  const helper = startHelper("timers/plain-worker.ts", {
    words: [name, env.redisUrl],
    variables: { PATH: "/usr/bin:/bin" },
  });
  await helper.next();
  const connection = connectRedis(env.redisUrl, "worker");
  const queue = new Queue(name, { connection });
  return {
    queue,
    stop: async () => {
      await helper.stop();
      await queue.close();
      connection.disconnect();
    },
  };
}

async function runPlainJobs(
  { pool }: BenchDeps,
  { queue }: PlainWorker,
  due: readonly DueEvent[],
): Promise<Sides> {
  // These events only receive calls; nothing may move them.
  await pool.sql`UPDATE events SET next_transition = NULL, due_at = NULL WHERE due_at IS NOT NULL`;
  await Promise.all(
    due.map(({ dueMs }) => queue.add("due", { dueMs }, { delay: Math.round(dueMs - Date.now()) })),
  );
  await waitFor(`${due.length} jobs`, async () => (await queue.getCompletedCount()) >= due.length, {
    withinMs: GIVE_UP_MS,
  });
  const jobs: Job[] = await queue.getCompleted();
  await queue.clean(0, 0, "completed");
  const late = jobs.map(({ data, finishedOn = Number.NaN }) => finishedOn - v.parse(jobData, data).dueMs);
  return new Map([["BullMQ", late]]);
}

const jobData = v.object({ dueMs: v.number() });

async function runAlarms(
  deps: BenchDeps,
  due: readonly DueEvent[],
  transition: DuePlan["transition"],
): Promise<Sides> {
  await Promise.all(
    due.map(({ id, dueMs, version }) =>
      deps.queues.setAlarm({ eventId: id, transition, version }, dueMs - Date.now()),
    ),
  );
  const after = Math.max(...due.map(({ dueMs }) => dueMs)) - Date.now();
  await Bun.sleep(after);
  const ids = `{${due.map(({ id }) => id).join(",")}}`;
  const untilNone = (what: string, left: ReturnType<typeof sql>) =>
    waitFor(what, async () => (await deps.pool.db.execute(left)).length === 0, { withinMs: GIVE_UP_MS });
  await untilNone(
    `${due.length} transitions`,
    sql`SELECT FROM events WHERE id = ANY (${ids}::bigint[]) AND next_transition = ${transition} LIMIT 1`,
  );
  const dueMs = new Map(due.map((event) => [event.id, event.dueMs]));
  const lateness = async (rows: ReturnType<typeof sql>) =>
    v
      .parse(v.array(commit), [...(await deps.pool.db.execute(rows))])
      .map(({ id, ms }) => ms - (dueMs.get(id) ?? Number.NaN));
  const committed = sql`(extract(epoch FROM pg_xact_commit_timestamp(xmin)) * 1000)::float8 AS ms`;
  const moved = await lateness(sql`SELECT id, ${committed} FROM events WHERE id = ANY (${ids}::bigint[])`);
  if (transition === "close_event") return new Map([["events", moved]]);
  await untilNone(
    "the payments",
    sql`SELECT FROM settlements WHERE event_id = ANY (${ids}::bigint[]) AND paid_at IS NULL LIMIT 1`,
  );
  return new Map([
    ["decided", moved],
    [
      "paid",
      await lateness(
        sql`SELECT event_id AS id, ${committed} FROM settlements WHERE event_id = ANY (${ids}::bigint[])`,
      ),
    ],
  ]);
}

const commit = v.object({ id: v.pipe(v.string(), v.toNumber()), ms: v.number() });
