import { expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import { listUnpaidSettlements } from "#db/ledger/list-unpaid-settlements.ts";
import { calls } from "#db/schema/calls.ts";
import { settlements } from "#db/schema/ledger.ts";
import { createReadinessCheck } from "#src/operate/metrics/health.ts";
import { showOperations } from "#src/operate/operations/show-operations.ts";
import type { EventRow } from "#src/show/events/with-event.ts";
import { startSweep } from "#src/show/timers/sweep.ts";
import { startWorkerProcess, type WorkerProcess } from "#tests/faults/worker-process.ts";
import { alarmOf, buildDueEvent, delayDue } from "#tests/jobs/due-events.ts";
import { afterFile, afterTest } from "#tests/support/after-file.ts";
import { listDifferences } from "#tests/support/books.ts";
import { buildCall, buildPlayer, readEvent } from "#tests/support/build.ts";
import { testDeps } from "#tests/support/deps.ts";
import { waitFor } from "#tests/support/wait-for.ts";

const CLOSES_IN_MS = 2_000;
/** Until its calls are placed, which takes long on a busy machine. */
const OPEN_FOR_MS = 600_000;
const KILLS = 12;

const deps = await testDeps();
let workers: WorkerProcess[] = [];
afterTest(async () => expect(await listDifferences(deps.pool.db)).toEqual([]));
afterFile(() => killWorkers());

/** Starts a worker where none runs: a start takes longer than most of these tests. */
async function requireWorker(): Promise<void> {
  if (workers.length === 0) workers.push(await startWorkerProcess(deps));
}

async function killWorkers(): Promise<void> {
  await Promise.all(workers.map((worker) => worker.kill()));
  workers = [];
}

/** An event that closes in 2 s and then resolves at once as true, with a call of $1.00 on each side. */
async function buildContest(): Promise<EventRow> {
  const { id } = await buildDueEvent(deps, OPEN_FOR_MS, { resolveWithinSeconds: 0, autoResult: "true" });
  for (const side of ["true", "false"] as const) {
    const { id: userId } = await buildPlayer(deps);
    await buildCall(deps, { userId, eventId: id, side });
  }
  const event = await delayDue(deps, id, CLOSES_IN_MS);
  await deps.queues.setAlarm(alarmOf(event), CLOSES_IN_MS);
  return event;
}

async function expectPaidOnce(event: EventRow): Promise<void> {
  const resolved = await waitFor("the event to resolve", async () => {
    const row = await readEvent(deps, event.id);
    return row.state === "resolved" && row;
  });
  expect(resolved.closedAt?.getTime()).toBeGreaterThanOrEqual(event.closesAt?.getTime() ?? Number.NaN);
  await waitFor("it to be paid", async () => {
    return (await listUnpaidSettlements(deps.pool.db, [event.id])).length === 0;
  });
  expect(await deps.pool.db.$count(settlements, eq(settlements.eventId, event.id))).toBe(1);
  const payouts = await deps.pool.db
    .select()
    .from(calls)
    .where(eq(calls.eventId, event.id))
    .orderBy(calls.id);
  expect(payouts.map((call) => call.payoutCents)).toEqual([200, 0]);
}

test("a worker closes and resolves by itself", async () => {
  await requireWorker();
  await expectPaidOnce(await buildContest());
});

test("after Redis has lost all data, the event closes and pays once", async () => {
  await requireWorker();
  const event = await buildContest();
  await deps.redis.flushall();
  await expectPaidOnce(event);
});

test("with two workers on the same alarms, each event closes and pays once", async () => {
  await requireWorker();
  workers.push(await startWorkerProcess(deps));
  const contests = await Promise.all([buildContest(), buildContest(), buildContest(), buildContest()]);
  await Promise.all(contests.map((event) => expectPaidOnce(event)));
});

test("with workers that are killed repeatedly, each event closes and pays once", async () => {
  await requireWorker();
  const contests = await Promise.all([buildContest(), buildContest(), buildContest()]);
  for (let kill = 0; kill < KILLS; kill += 1) {
    await killWorkers();
    await requireWorker();
    await Bun.sleep(Math.random() * 900);
  }
  await Promise.all(contests.map((event) => expectPaidOnce(event)));
});

test("on SIGTERM a worker finishes its jobs and exits without an error", async () => {
  await requireWorker();
  await buildContest();
  const codes = await Promise.all(workers.map((worker) => worker.stop()));
  workers = [];
  expect(codes).toEqual([0]);
});

test("a worker that was killed is missing at once, and another process's sweep closes the event and pays once", async () => {
  await requireWorker();
  const running = async () => (await showOperations(deps, new Date())).workers ?? 0;
  await waitFor("the worker", async () => (await running()) > 0);
  const event = await buildContest();
  await killWorkers();
  await waitFor("the operators' list without it", async () => (await running()) === 0);
  const { degraded } = await createReadinessCheck(deps)();
  expect(degraded.map(({ what }) => what)).toContain("worker missing");
  const sweep = startSweep(deps);
  await expectPaidOnce(event);
  await sweep.stop();
});
