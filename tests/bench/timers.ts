import { Queue, Worker } from "bullmq";
import * as v from "valibot";
import { startWorker, workers } from "#jobs/workers.ts";
import { connectRedis } from "#src/base/redis.ts";
import { createRelay } from "#src/relay/relay-outbox.ts";
import { startWebProcess } from "#tests/http/web-process.ts";
import { waitFor } from "#tests/support/wait-for.ts";
import { openBenchDeps, type BenchDeps } from "./bench-deps.ts";
import { type Callers, signInCallers } from "./callers.ts";
import { median, quantile } from "./numbers.ts";
import { type DueEvent, openDueEvents } from "./open-due-events.ts";
import { show, showRatio, type Table } from "./table.ts";

const ROUNDS = 3;
/** From setting the alarms to the first due time. */
const LEAD_MS = 3_000;
const GIVE_UP_MS = 60_000;
const CALLS_PER_SECOND = 200;
const GOAL = "p99 1.20 x";
const GOAL_IDLE = "p99 25 ms";

/** `count` transitions, due within `withinMs`. */
type Load = { name: string; count: number; withinMs: number; goal: string };
const loads: Load[] = [
  { name: "2,000 within 1 s", count: 2_000, withinMs: 1_000, goal: GOAL },
  { name: "idle: 40 within 4 s", count: 40, withinMs: 4_000, goal: GOAL_IDLE },
];
const loadWithCalls: Load = { name: "200 within 1 s, with calls", count: 200, withinMs: 1_000, goal: GOAL };

/** Schedules the transitions of these events. @returns how late each was done, in ms. */
type Transitions = (deps: BenchDeps, due: readonly DueEvent[]) => Promise<number[]>;

const alarmData = v.object({ eventId: v.number() });

/**
 * Measures how late events of a running session close when many are due at once, from their due time to the end of the job,
 * with a running relay. The baseline is delayed jobs of BullMQ that do nothing, on the same Redis. During the last load,
 * players place calls on the same events through a web process. The worker's sweep does not run, because it would do late
 * transitions after a second. The sweep of the web process runs.
 */
export async function benchTimers(): Promise<Table> {
  const base = await openBenchDeps();
  const relay = createRelay(base);
  const deps = { ...base, notifyRelay: relay.notify };
  try {
    const rows: string[][] = [];
    for (const load of loads) rows.push(...(await measure(deps, load, { callers: null })));
    rows.push(...(await measureWithCalls(deps)));
    return {
      title: "timers: lateness in ms, medians of interleaved rounds",
      rows: [["", "", "p50", "p99", "max", "p99 ratio", "goal"], ...rows],
      notes: [`With calls: ${CALLS_PER_SECOND} per second over HTTP, on the events that close.`],
    };
  } finally {
    await relay.stop();
    await base.close();
  }
}

async function measureWithCalls(deps: BenchDeps): Promise<string[][]> {
  const web = await startWebProcess(deps);
  try {
    return await measure(deps, loadWithCalls, { callers: await signInCallers(deps, web.origin) });
  } finally {
    await web.stop();
  }
}

async function measure(
  deps: BenchDeps,
  load: Load,
  { callers }: { callers: Callers | null },
): Promise<string[][]> {
  const sides = { BullMQ: [] as number[][], events: [] as number[][] };
  const run = async (transitions: Transitions) => {
    const due = await openDueEvents(deps, { ...load, leadMs: LEAD_MS });
    const calling = callers?.call(due, CALLS_PER_SECOND);
    const lateness = await transitions(deps, due);
    await calling?.stop();
    return lateness;
  };
  // The first round is a warm-up.
  for (let round = 0; round <= ROUNDS; round += 1) {
    const [plain, events] = [await run(runPlainJobs), await run(runAlarms)];
    if (round === 0) continue;
    sides.BullMQ.push(plain);
    sides.events.push(events);
  }
  const at = (rounds: number[][], share: number) => median(rounds.map((round) => quantile(round, share)));
  const row = (name: string, rounds: number[][]) => [
    name,
    ...[0.5, 0.99, 1].map((share) => show(at(rounds, share))),
  ];
  const ratio = showRatio(at(sides.events, 0.99) / at(sides.BullMQ, 0.99));
  return [
    [load.name, ...row("BullMQ", sides.BullMQ), "", ""],
    ["", ...row("events", sides.events), ratio, load.goal],
  ];
}

async function runPlainJobs({ env, pool }: BenchDeps, due: readonly DueEvent[]): Promise<number[]> {
  // These events only receive calls; no sweep may close them.
  await pool.sql`UPDATE events SET next_transition = NULL, due_at = NULL WHERE due_at IS NOT NULL`;
  const name = `plain-${crypto.randomUUID()}`;
  const connection = connectRedis(env.redisUrl, "worker");
  const queue = new Queue(name, { connection });
  const workerConnection = connectRedis(env.redisUrl, "worker");
  const worker = new Worker(name, () => Promise.resolve(), {
    connection: workerConnection,
    ...workers.setAlarm.options,
  });
  const lateness = collectLateness(worker, due);
  await Promise.all(
    due.map(({ id, dueMs }) =>
      queue.add("due", { eventId: id }, { delay: Math.round(dueMs - Date.now()), removeOnComplete: true }),
    ),
  );
  await lateness.untilAll();
  await worker.close();
  await queue.close();
  for (const open of [connection, workerConnection]) open.disconnect();
  return lateness.ms;
}

async function runAlarms(deps: BenchDeps, due: readonly DueEvent[]): Promise<number[]> {
  const connection = connectRedis(deps.env.redisUrl, "worker");
  const worker = startWorker("setAlarm", deps, connection);
  const lateness = collectLateness(worker, due);
  await Promise.all(
    due.map(({ id, dueMs, version }) =>
      deps.queues.setAlarm({ eventId: id, transition: "close_event", version }, dueMs - Date.now()),
    ),
  );
  await lateness.untilAll();
  await worker.close();
  connection.disconnect();
  return lateness.ms;
}

function collectLateness(
  worker: Worker,
  due: readonly DueEvent[],
): { ms: number[]; untilAll: () => Promise<void> } {
  const dueById = new Map(due.map(({ id, dueMs }) => [id, dueMs]));
  const ms: number[] = [];
  worker.on("completed", (job) => {
    const { eventId } = v.parse(alarmData, job.data);
    ms.push((job.finishedOn ?? Number.NaN) - (dueById.get(eventId) ?? Number.NaN));
  });
  return {
    ms,
    untilAll: async () => {
      await waitFor(`${due.length} transitions`, () => ms.length >= due.length, { withinMs: GIVE_UP_MS });
    },
  };
}
