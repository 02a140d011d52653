import { sql } from "drizzle-orm";
import * as v from "valibot";
import type { Transaction } from "#db/client.ts";
import { placeCalls } from "#db/ledger/place-calls.ts";
import { startWorkerProcess } from "#tests/faults/worker-process.ts";
import { buildPlayer, buildRunningSession } from "#tests/support/build.ts";
import { closeCalls } from "#tests/support/close-calls.ts";
import { waitFor } from "#tests/support/wait-for.ts";
import { type BenchDeps, openBenchDeps } from "../bench-deps.ts";
import { type Callers, signInCallers } from "../callers.ts";
import { interleave } from "../harness.ts";
import { startWeb } from "../start-web.ts";
import { atMost, type Goal, median, quantile, show, type Table } from "../table.ts";

const ROUNDS = 3;
/** From setting the alarms to the first due time. */
const LEAD_MS = 4_000;
const GIVE_UP_MS = 60_000;
const CALLS_PER_SECOND = 300;
const PLAYERS = 10;

/** `goal`: how late the transitions may be, in ms, at that share of them. */
type Load = Omit<DuePlan, "leadMs"> & { name: string; goal: { atShare: number; ms: number }; calls?: true };
const loads: readonly Load[] = [
  { name: "2,000 closes within 1 s", ...closes(2_000, 1_000), goal: { atShare: 0.99, ms: 40 } },
  { name: "idle: 40 closes within 4 s", ...closes(40, 4_000), goal: { atShare: 0.99, ms: 10 } },
  {
    name: "100 results at once",
    transition: "resolve",
    count: 100,
    withinMs: 0,
    goal: { atShare: 1, ms: 150 },
  },
  {
    name: "200 closes within 1 s, with calls",
    ...closes(200, 1_000),
    goal: { atShare: 0.99, ms: 25 },
    calls: true,
  },
];

function closes(count: number, withinMs: number) {
  return { transition: "close_event", count, withinMs } as const;
}

/**
 * Measures how late transitions of a running session are when many are due at once: from the due time to the commit. They are performed by a
 * worker in a process of its own, as in production, with its relay and its sweep. During the last load players place calls on the same
 * events through a web process.
 */
export async function benchTimers(): Promise<Table> {
  const deps = await openBenchDeps({ commitTimes: true });
  const worker = await startWorkerProcess(deps);
  const web = await startWeb(deps, { NODE_ENV: "test", RATE_LIMITS: "off" });
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

const rowId = v.pipe(v.string(), v.toNumber());
const dueEvent = v.object({
  id: rowId,
  /** In milliseconds since 1970. */
  dueMs: v.number(),
  version: v.number(),
  spotIds: v.array(rowId),
});
type DueEvent = v.InferOutput<typeof dueEvent>;

/** `count` transitions at random times within `withinMs`, after `leadMs`. */
type DuePlan = { transition: "close_event" | "resolve"; count: number; leadMs: number; withinMs: number };

/** The calls of each event that is resolved. */
const CALLS = 10;

/**
 * Inserts events of a running session whose closes are due, or whose automatic results. Bulk inserts replace the verbs.
 * @param players place the calls on events that are resolved.
 */
async function openDueEvents(
  deps: BenchDeps,
  plan: DuePlan,
  players: readonly { id: number }[],
): Promise<DueEvent[]> {
  const { id: sessionId } = await buildRunningSession(deps);
  const ids = await deps.pool.db.transaction((tx) => openEvents(tx, sessionId, plan.count));
  if (plan.transition === "resolve") await closeWithCalls(deps, ids, players);
  const { db } = deps.pool;
  const isDue = sql`id = ANY (${`{${ids.join(",")}}`}::bigint[])`;
  const due = sql`now() + make_interval(secs => (${plan.leadMs} + random() * ${plan.withinMs}) / 1000.0)`;
  await db.execute(
    sql`UPDATE events SET due_at = ${due}, next_transition = ${plan.transition},
        auto_result = CASE WHEN state = 'closed' THEN 'random' END WHERE ${isDue}`,
  );
  // An open event closes when its transition is due.
  await db.execute(sql`UPDATE events SET closes_at = due_at WHERE state = 'open' AND ${isDue}`);
  const rows = await db.execute(
    sql`SELECT id, (extract(epoch FROM due_at) * 1000)::float8 AS "dueMs", schedule_version AS version,
        (SELECT array_agg(s.id::text ORDER BY s.side) FROM spots s WHERE s.event_id = events.id) AS "spotIds"
      FROM events WHERE ${isDue} ORDER BY id`,
  );
  return v.parse(v.array(dueEvent), [...rows]);
}

async function openEvents(tx: Transaction, sessionId: number, count: number): Promise<number[]> {
  const rows = await tx.execute(
    sql`INSERT INTO events (session_id, title, resolve_within_seconds)
      SELECT ${sessionId}::bigint, 'Will it happen ' || n || '?', 3600 FROM generate_series(1, ${count}::int) n RETURNING id`,
  );
  const ids = v.parse(v.array(v.object({ id: rowId })), [...rows]).map(({ id }) => id);
  const isNew = (column: string) => sql`${sql.identifier(column)} = ANY (${`{${ids.join(",")}}`}::bigint[])`;
  await tx.execute(
    sql`INSERT INTO spots (event_id, side) SELECT id, side FROM events, unnest(ARRAY['true', 'false']) AS side WHERE ${isNew("id")}`,
  );
  await tx.execute(sql`UPDATE events SET state = 'visible' WHERE ${isNew("id")}`);
  await tx.execute(
    sql`UPDATE events SET state = 'open', opens_at = game_now(), opened_at = game_now(),
        closes_at = game_now() + interval '1 hour', schedule_version = 1 WHERE ${isNew("id")}`,
  );
  await tx.execute(sql`UPDATE spots SET state = 'open' WHERE ${isNew("event_id")}`);
  return ids;
}

async function closeWithCalls(
  { pool }: BenchDeps,
  ids: readonly number[],
  players: readonly { id: number }[],
): Promise<void> {
  const { db } = pool;
  // A wallet that is being paid refuses calls as busy.
  const unpaid = sql`SELECT FROM settlements WHERE paid_at IS NULL LIMIT 1`;
  await waitFor("the round before to be paid", async () => (await db.execute(unpaid)).length === 0);
  const among = sql`event_id = ANY (${`{${ids.join(",")}}`}::bigint[])`;
  const rows = await db.execute(
    sql`SELECT array_agg(id::text ORDER BY side) AS ids FROM spots WHERE ${among} GROUP BY event_id`,
  );
  for (const { ids: sides } of v.parse(v.array(v.object({ ids: v.array(rowId) })), [...rows])) {
    const placed = await placeCalls(
      pool,
      players.slice(0, CALLS).map(({ id: userId }, index) => ({
        userId,
        spotId: sides[index % 2] ?? Number.NaN,
        wagerCents: 100,
        idempotencyKey: crypto.randomUUID(),
      })),
    );
    if (placed.some(({ code }) => code !== "placed")) throw new Error("a call was not placed");
  }
  await db.transaction(async (tx) => {
    await tx.execute(
      sql`UPDATE events SET state = 'closed', closed_at = game_now() WHERE id = ANY (${`{${ids.join(",")}}`}::bigint[])`,
    );
    await tx.execute(sql`UPDATE spots SET state = 'closed' WHERE ${among}`);
    await closeCalls(tx, ...ids);
  });
}
