import { connect } from "#db/client.ts";
import { listUnpaidSettlements } from "#db/ledger/list-unpaid-settlements.ts";
import { placeCalls } from "#db/ledger/place-calls.ts";
import { resolveEvent } from "#src/events/resolve-event.ts";
import { paySettlement } from "#src/settlements/pay-settlement.ts";
import { listDifferences } from "#tests/support/books.ts";
import { buildEvent, readSpots } from "#tests/support/build.ts";
import { openBenchDeps, type BenchDeps } from "../bench-deps.ts";
import { median, quantile } from "../numbers.ts";
import { show, showRatio, type Table } from "../table.ts";
import { buildLargeEvent, type LargeEvent } from "./large-event.ts";
import { settleBare } from "./settle-bare.ts";
import { benchSmall } from "./settle-small.ts";

const SIZES = [10_000, 100_000];
const MILLION = 1_000_000;
/** Connections that place calls during a settlement. */
const CONNECTIONS = 4;
/** Above this, the check of the books takes longer than the rest. */
const CHECKED_MAX = 100_000;

/** Calls that are being placed. `stop` returns how long each one took, in milliseconds. */
type Placing = { stop: () => Promise<readonly number[]> };

/**
 * Measures a large settlement, decided and then paid in parts by one worker. The baseline is plain SQL on copies of the same
 * rows. During both, players place calls on another event, some of them with wallets that are being paid; the copies block
 * no calls.
 */
export async function benchSettle(): Promise<Table[]> {
  // The small ones first: after the large ones the database is still cleaning up.
  return [await benchSmall(), await benchLarge()];
}

async function benchLarge(): Promise<Table> {
  const sizes = process.argv.includes("--million") ? [...SIZES, MILLION] : SIZES;
  const rows: string[][] = [];
  for (const size of sizes) rows.push(await measure(size));
  return {
    title: "settle: a large event, decided and paid in parts, against plain SQL in one transaction",
    rows: [
      [
        "calls",
        "plain SQL s",
        "decided s",
        "paid s",
        "ratio",
        "us per call",
        "call ms, plain SQL: p50 / max",
        "call ms, paying: p50 / p99 / max",
      ],
      ...rows,
    ],
    notes: [
      "Goals: at most 1.5 x, linear, and no call waits for more than 100 ms.",
      "Plain SQL writes copies of the rows with the same indexes and checks; it has no triggers, no journal and no locks.",
      "With --million, also an event with 1,000,000 calls.",
    ],
  };
}

async function measure(size: number): Promise<string[]> {
  const deps = await openBenchDeps();
  try {
    const large = await buildLargeEvent(deps, size);
    const placingBeside = await placeOn(deps, large, size);
    const bareMs = await settleBare(deps, large.event.id);
    const callsBesideMs = await placingBeside.stop();
    const placing = await placeOn(deps, large, size);
    const startedAt = performance.now();
    await resolveEvent(deps, { eventId: large.event.id, actor: null, result: "true" });
    const decidedMs = performance.now() - startedAt;
    await payAll(deps, large.event.id);
    const paidMs = performance.now() - startedAt - decidedMs;
    const callsMs = await placing.stop();
    if (size <= CHECKED_MAX) await requireBalance(deps);
    return [
      show(size),
      show(bareMs / 1_000),
      show(decidedMs / 1_000),
      show(paidMs / 1_000),
      showRatio((decidedMs + paidMs) / bareMs),
      show(((decidedMs + paidMs) * 1_000) / size),
      [median(callsBesideMs), Math.max(...callsBesideMs)].map(show).join(" / "),
      [median(callsMs), quantile(callsMs, 0.99), Math.max(...callsMs)].map(show).join(" / "),
    ];
  } finally {
    await deps.close();
  }
}

async function payAll(deps: BenchDeps, eventId: number): Promise<void> {
  for (;;) {
    const [unpaid] = await listUnpaidSettlements(deps.pool.db, [eventId]);
    if (unpaid === undefined) return;
    await paySettlement(deps, eventId, { budgetMs: Number.POSITIVE_INFINITY });
  }
}

async function requireBalance({ pool }: BenchDeps): Promise<void> {
  const differences = await listDifferences(pool.db);
  if (differences.length > 0) throw new Error(`the books do not agree: ${JSON.stringify(differences)}`);
}

/** Random players of the large event place calls on another event, one after the other on each connection. */
async function placeOn(deps: BenchDeps, { firstUserId }: LargeEvent, size: number): Promise<Placing> {
  const event = await buildEvent(deps, "open", { durationSeconds: 1_800 });
  const { true: spot } = await readSpots(deps, event.id);
  const pool = connect(deps.env.databaseUrl, { poolSize: CONNECTIONS });
  const tookMs: number[] = [];
  let stopped = false;
  const keepPlacing = async () => {
    while (!stopped) {
      const sentAt = performance.now();
      const userId = firstUserId + Math.floor(Math.random() * size);
      const call = { userId, spotId: spot.id, wagerCents: 1, idempotencyKey: crypto.randomUUID() };
      const [placed] = await placeCalls(pool.db, [call]);
      if (placed?.code !== "placed") throw new Error(`the call was not placed: ${placed?.code}`);
      tookMs.push(performance.now() - sentAt);
      await Bun.sleep(5);
    }
  };
  const done = Promise.all(Array.from({ length: CONNECTIONS }, keepPlacing));
  return {
    stop: async () => {
      stopped = true;
      await done;
      await pool.close();
      return tookMs;
    },
  };
}
