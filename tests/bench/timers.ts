import { Queue, Worker } from "bullmq";
import { sql } from "drizzle-orm";
import * as v from "valibot";
import { timerOptions } from "#jobs/worker-options.ts";
import { startTransitionWorker } from "#jobs/workers/perform-transition.ts";
import { createRelay } from "#src/cable/relay-outbox.ts";
import { connectRedis } from "#src/redis.ts";
import { waitFor } from "#tests/support/wait-for.ts";
import { median, quantile } from "./numbers.ts";
import { openStand, type Stand } from "./stand.ts";
import { show, showRatio, type Table } from "./table.ts";

const ROUNDS = 3;
/** Between setting the alarms and the first of them. */
const LEAD_MS = 3_000;
const GIVE_UP_MS = 60_000;

/** So many transitions within so much time. */
type Load = { count: number; withinMs: number };
const loads: (Load & { name: string })[] = [
  { name: "2,000 within 1 s", count: 2_000, withinMs: 1_000 },
  { name: "idle: 40 within 4 s", count: 40, withinMs: 4_000 },
];

const dueRows = v.array(v.object({ id: v.pipe(v.string(), v.toNumber()), dueMs: v.number() }));
const jobData = v.object({ dueMs: v.number() });
const alarmData = v.object({ eventId: v.number() });

/**
 * How late events close when many are due at once, from their due time to the end of the job; against BullMQ's delayed jobs
 * that do nothing, on the same Redis. The sweep, which would help after a second, does not run.
 */
export async function benchTimers(): Promise<Table> {
  const quiet = await openStand();
  const relay = createRelay(quiet);
  const stand = { ...quiet, ringOutbox: relay.ring };
  try {
    const rows: string[][] = [];
    for (const load of loads) rows.push(await measure(stand, load));
    return {
      title: "timers: lateness in ms, medians of interleaved rounds",
      rows: [["", "BullMQ p50", "BullMQ p99", "events p50", "events p99", "p99 ratio"], ...rows],
      notes: ["Goals: ratio of p99 at most 1.20 x with 2,000 in a second; p99 at most 25 ms when idle."],
    };
  } finally {
    await relay.stop();
    await quiet.close();
  }
}

async function measure(stand: Stand, { name, ...load }: Load & { name: string }): Promise<string[]> {
  const [plain, events]: [number[][], number[][]] = [[], []];
  for (let round = 0; round < ROUNDS; round += 1) {
    plain.push(await runPlainJobs(stand, load));
    events.push(await runEvents(stand, load));
  }
  const at = (rounds: number[][], share: number) => median(rounds.map((round) => quantile(round, share)));
  const [plainP99, eventsP99] = [at(plain, 0.99), at(events, 0.99)];
  return [
    name,
    show(at(plain, 0.5)),
    show(plainP99),
    show(at(events, 0.5)),
    show(eventsP99),
    showRatio(eventsP99 / plainP99),
  ];
}

/** @returns how late each job was done, in ms. */
async function runPlainJobs({ env }: Stand, { count, withinMs }: Load): Promise<number[]> {
  const name = `plain-${crypto.randomUUID()}`;
  const connection = connectRedis(env.redisUrl, "worker");
  const workerConnection = connectRedis(env.redisUrl, "worker");
  const queue = new Queue(name, { connection });
  const worker = new Worker(name, () => Promise.resolve(), { connection: workerConnection, ...timerOptions });
  const lateness: number[] = [];
  worker.on("completed", (job) => {
    lateness.push((job.finishedOn ?? Number.NaN) - v.parse(jobData, job.data).dueMs);
  });
  const firstMs = Date.now() + LEAD_MS;
  const dueTimes = Array.from({ length: count }, () => Math.round(firstMs + Math.random() * withinMs));
  await Promise.all(
    dueTimes.map((dueMs) =>
      queue.add("due", { dueMs }, { delay: dueMs - Date.now(), removeOnComplete: true }),
    ),
  );
  await untilAll(lateness, count);
  await worker.close();
  await queue.close();
  for (const open of [connection, workerConnection]) open.disconnect();
  return lateness;
}

/** @returns how late each event was closed, in ms. */
async function runEvents(stand: Stand, load: Load): Promise<number[]> {
  const due = new Map((await openEvents(stand, load)).map(({ id, dueMs }) => [id, dueMs]));
  const connection = connectRedis(stand.env.redisUrl, "worker");
  const worker = startTransitionWorker(stand, connection);
  const lateness: number[] = [];
  worker.on("completed", (job) => {
    const { eventId } = v.parse(alarmData, job.data);
    lateness.push((job.finishedOn ?? Number.NaN) - (due.get(eventId) ?? Number.NaN));
  });
  await Promise.all(
    [...due].map(([eventId, dueMs]) =>
      stand.queues.setAlarm({ eventId, transition: "close_event", version: 1 }, dueMs - Date.now()),
    ),
  );
  await untilAll(lateness, load.count);
  await worker.close();
  connection.disconnect();
  return lateness;
}

/** Open events whose close is due at random moments. They are written at once, not one by one through the verbs. */
async function openEvents(
  { pool }: Stand,
  { count, withinMs }: Load,
): Promise<v.InferOutput<typeof dueRows>> {
  const due = sql`game_now() + make_interval(secs => (${LEAD_MS} + random() * ${withinMs}) / 1000.0)`;
  return pool.db.transaction(async (tx) => {
    await tx.execute(
      sql`CREATE TEMP TABLE made ON COMMIT DROP AS WITH new AS (
        INSERT INTO events (title) SELECT 'Will it happen ' || n || '?' FROM generate_series(1, ${count}::int) n RETURNING id
      ) SELECT id FROM new`,
    );
    await tx.execute(
      sql`INSERT INTO spots (event_id, side) SELECT id, side FROM made, unnest(ARRAY['true', 'false']) AS side`,
    );
    await tx.execute(sql`UPDATE events SET state = 'visible' WHERE id IN (SELECT id FROM made)`);
    await tx.execute(
      sql`UPDATE events SET state = 'open', opens_at = game_now(), opened_at = game_now(), due_at = due, closes_at = due,
          next_transition = 'close_event', schedule_version = 1
        FROM (SELECT id AS made_id, ${due} AS due FROM made) planned WHERE id = made_id`,
    );
    await tx.execute(sql`UPDATE spots SET state = 'open' WHERE event_id IN (SELECT id FROM made)`);
    const rows = await tx.execute(
      sql`SELECT id, (extract(epoch FROM due_at) * 1000)::float8 AS "dueMs" FROM events JOIN made USING (id)`,
    );
    return v.parse(dueRows, [...rows]);
  });
}

async function untilAll(lateness: readonly number[], count: number): Promise<void> {
  await waitFor(`${count} transitions`, () => lateness.length >= count, { withinMs: GIVE_UP_MS });
}
