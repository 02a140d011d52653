import { sql } from "drizzle-orm";
import * as v from "valibot";
import { startWorkerProcess } from "#tests/faults/worker-process.ts";
import { buildPlayer } from "#tests/support/build.ts";
import { waitFor } from "#tests/support/wait-for.ts";
import { type BenchDeps, openBenchDeps } from "../bench-deps.ts";
import { type Callers, signInCallers } from "../callers.ts";
import { interleave } from "../harness.ts";
import { startWeb } from "../start-web.ts";
import { atMost, type Goal, median, quantile, show, type Table } from "../table.ts";
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

/**
 * Measures how late transitions of a running session are when many are due at once: from the due time to the commit. They are performed by a
 * worker in a process of its own, as in production, with its relay and its sweep. During the last load players place calls on the same
 * events through a web process.
 */
export async function benchTimers(): Promise<Table> {
  const deps = await openBenchDeps({ commitTimes: true });
  const worker = await startWorkerProcess(deps);
  const web = await startWeb(deps, { variables: { NODE_ENV: "test", RATE_LIMITS: "off" } });
  try {
    const players = await Promise.all(
      Array.from({ length: PLAYERS }, () => buildPlayer(deps, { balanceCents: 10_000_000 })),
    );
    const callers = await signInCallers(deps, web.origin);
    const measured: Measured[] = [];
    for (const load of loads) measured.push(await measure(deps, load, { players, callers }));
    return {
      title: "timers: lateness in ms, medians of interleaved rounds",
      rows: [["", "p50", "p99", "max"], ...measured.map(({ row }) => row)],
      goals: measured.map(({ goal }) => goal),
      notes: [
        `With calls: ${CALLS_PER_SECOND} per second over HTTP, on the events that close. Results: 10 calls each.`,
      ],
    };
  } finally {
    await web.stop();
    await worker.stop();
    await deps.close();
  }
}

type Cast = { players: readonly { id: number }[]; callers: Callers };

type Measured = { row: string[]; goal: Goal };

async function measure(deps: BenchDeps, load: Load, { players, callers }: Cast): Promise<Measured> {
  const round = async () => {
    const due = await openDueEvents(deps, { ...load, leadMs: LEAD_MS }, players);
    const calling = load.calls && callers.call(due, CALLS_PER_SECOND);
    const lateness = await runAlarms(deps, due, load.transition);
    await calling?.stop();
    return lateness;
  };
  // The first round is a warm-up.
  const [rounds = []] = await interleave([round], { rounds: ROUNDS, warmUps: 1 });
  const at = (share: number) => median(rounds.map((lateness) => quantile(lateness, share)));
  const { name, goal } = load;
  const what = `${name}, ${goal.atShare === 1 ? "the latest" : "p99"}`;
  return {
    row: [name, ...[0.5, 0.99, 1].map((share) => show(at(share)))],
    goal: atMost(goal.ms, { what, measured: at(goal.atShare), unit: "ms" }),
  };
}

/** Waits until the events have moved. @returns how late each was, in milliseconds. */
async function runAlarms(
  deps: BenchDeps,
  due: readonly DueEvent[],
  transition: DuePlan["transition"],
): Promise<number[]> {
  await Promise.all(
    due.map(({ id, dueMs, version }) =>
      deps.queues.setAlarm({ eventId: id, transition, version }, dueMs - Date.now()),
    ),
  );
  const after = Math.max(...due.map(({ dueMs }) => dueMs)) - Date.now();
  await Bun.sleep(after);
  const ids = `{${due.map(({ id }) => id).join(",")}}`;
  const left = sql`SELECT FROM events WHERE id = ANY (${ids}::bigint[]) AND next_transition = ${transition} LIMIT 1`;
  await waitFor(`${due.length} transitions`, async () => (await deps.pool.db.execute(left)).length === 0, {
    withinMs: GIVE_UP_MS,
  });
  const dueMs = new Map(due.map((event) => [event.id, event.dueMs]));
  const moved = await deps.pool.db.execute(
    sql`SELECT id, (extract(epoch FROM pg_xact_commit_timestamp(xmin)) * 1000)::float8 AS ms
      FROM events WHERE id = ANY (${ids}::bigint[])`,
  );
  return v.parse(v.array(commit), [...moved]).map(({ id, ms }) => ms - (dueMs.get(id) ?? Number.NaN));
}

const commit = v.object({ id: v.pipe(v.string(), v.toNumber()), ms: v.number() });
