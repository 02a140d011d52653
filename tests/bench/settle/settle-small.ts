import { listUnpaidSettlements } from "#db/ledger/list-unpaid-settlements.ts";
import { placeCalls } from "#db/ledger/place-calls.ts";
import { paySettlement } from "#src/play/settlements/pay-settlement.ts";
import { closeEvent } from "#src/show/events/close-event.ts";
import { resolveEvent } from "#src/show/events/resolve-event.ts";
import { startWorkerProcess } from "#tests/faults/worker-process.ts";
import { buildEvent, buildPlayer, buildRunningSession, readSpots } from "#tests/support/build.ts";
import { type BenchDeps, openBenchDeps } from "../bench-deps.ts";
import { interleave } from "../harness.ts";
import { median, quantile, show, showRatio, type Table } from "../table.ts";
import { buildLargeEvent } from "./large-event.ts";

/** Each player has one call on each event. */
const PLAYERS = 30;
const EVENTS = 150;
const LARGE_CALLS = 20_000;
const POLL_EVERY_MS = 4;

/**
 * Measures how soon a small result is paid: from the decision's commit to the payment's, through the queue and a worker
 * process. The baseline pays in the process that decides, without the queue. Both alternate.
 */
export async function benchSmall(): Promise<Table> {
  const deps = await openBenchDeps();
  const worker = await startWorkerProcess(deps);
  try {
    const playerIds: number[] = [];
    for (let n = 0; n < PLAYERS; n += 1) playerIds.push((await buildPlayer(deps)).id);
    const { id: sessionId } = await buildRunningSession(deps);
    const next = () => buildClosed(deps, sessionId, playerIds);
    const quiet = await measure(deps, next);
    const { event: large } = await buildLargeEvent(deps, LARGE_CALLS);
    await resolveEvent(deps, { eventId: large.id, actor: null, result: "true" });
    const isPaying = async () => (await listUnpaidSettlements(deps.pool.db, [large.id])).length > 0;
    const beside = await measure(deps, next, isPaying);
    return {
      title: "settle: a small result, from the decision's commit to the payment's",
      rows: [
        [
          "beside it",
          "results",
          "in process ms: p50 / p95 / p99",
          "queue and worker ms: p50 / p95 / p99",
          "ratio of p50",
        ],
        ["nothing", ...describe(quiet)],
        [`a result of ${show(LARGE_CALLS)} calls is paid`, ...describe(beside)],
      ],
      notes: [
        "Goal: at most 50 ms on a quiet machine.",
        `${PLAYERS} calls each. The payment is seen by polling the database every ${POLL_EVERY_MS} ms.`,
        "In process: the process that decides pays at once, by the same verb; no other product process runs.",
      ],
    };
  } finally {
    await worker.stop();
    await deps.close();
  }
}

type Measured = { inProcess: number[]; queued: number[] };

/** Alternates both ways, EVENTS times or until `goesOn` is false. */
async function measure(
  deps: BenchDeps,
  next: () => Promise<number>,
  goesOn: () => Promise<boolean> = () => Promise.resolve(true),
): Promise<Measured> {
  const withoutQueue = {
    ...deps,
    queues: { ...deps.queues, paySettlement: () => Promise.resolve() },
  };
  const [inProcess = [], queued = []] = await interleave(
    [
      async () => {
        const eventId = await next();
        return timeUntilPaid(withoutQueue, eventId, () => paySettlement(deps, eventId));
      },
      async () => timeUntilPaid(deps, await next(), () => Promise.resolve()),
    ],
    { rounds: EVENTS, goesOn },
  );
  return { inProcess, queued };
}

/** Decides an event. @returns the milliseconds until it is paid. */
async function timeUntilPaid(deps: BenchDeps, eventId: number, pay: () => Promise<unknown>): Promise<number> {
  await resolveEvent(deps, { eventId, actor: null, result: "true" });
  const decidedAt = performance.now();
  await pay();
  while ((await listUnpaidSettlements(deps.pool.db, [eventId])).length > 0) await Bun.sleep(POLL_EVERY_MS);
  return performance.now() - decidedAt;
}

async function buildClosed(
  deps: BenchDeps,
  sessionId: number,
  playerIds: readonly number[],
): Promise<number> {
  const { id: eventId } = await buildEvent(deps, "open", { sessionId });
  const spots = await readSpots(deps, eventId);
  await placeCalls(
    deps.pool,
    playerIds.map((userId, index) => ({
      userId,
      spotId: (index % 2 === 0 ? spots.true : spots.false).id,
      wagerCents: 1,
      idempotencyKey: `small-${eventId}`,
    })),
  );
  await closeEvent(deps, { eventId, actor: null });
  return eventId;
}

function describe({ inProcess, queued }: Measured): string[] {
  const numbers = (ms: readonly number[]) =>
    [median(ms), quantile(ms, 0.95), quantile(ms, 0.99)].map(show).join(" / ");
  return [
    show(queued.length),
    numbers(inProcess),
    numbers(queued),
    showRatio(median(queued) / median(inProcess)),
  ];
}
