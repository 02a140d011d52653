import { connect } from "#db/client.ts";
import { listUnpaidSettlements } from "#db/ledger/list-unpaid-settlements.ts";
import { placeCalls } from "#db/ledger/place-calls.ts";
import { resolveEvent } from "#src/events/resolve-event.ts";
import { paySettlement } from "#src/settlements/pay-settlement.ts";
import { listDifferences } from "#tests/support/books.ts";
import { buildEvent, readSpots } from "#tests/support/build.ts";
import { openBenchDeps, type BenchDeps } from "./bench-deps.ts";
import { buildLargeEvent, type LargeEvent } from "./large-event.ts";
import { median, quantile } from "./numbers.ts";
import { settleBare } from "./settle-bare.ts";
import { show, showRatio, type Table } from "./table.ts";

const SIZES = [10_000, 100_000];
const MILLION = 1_000_000;
const PLACERS = 4;
/** Above this the check of the books takes longer than all else. */
const CHECKED_MAX = 100_000;

/** How long each call took that somebody placed meanwhile. */
type Placing = { stop: () => Promise<readonly number[]> };

/**
 * One event with a crowd: decided, then paid in parts by one payer, against plain SQL on copies of the same rows. During both
 * others place calls on another event, among them players whose wallets are being paid; the copies keep nobody waiting.
 */
export async function benchSettle(): Promise<Table> {
  const sizes = process.argv.includes("--million") ? [...SIZES, MILLION] : SIZES;
  const rows: string[][] = [];
  for (const size of sizes) rows.push(await measure(size));
  return {
    title: "settle: an event with a crowd, decided and paid in parts, against plain SQL in one transaction",
    rows: [
      [
        "calls",
        "plain SQL s",
        "decided s",
        "paid s",
        "ratio",
        "us a call",
        "waits ms plain p50 / max",
        "paying p50 / p99 / max",
      ],
      ...rows,
    ],
    notes: [
      "Goals: at most 1.5 x, linear, and nobody who places a call waits for more than 100 ms.",
      "Plain SQL writes copies of the rows with the same indexes and checks; it has no triggers, no journal and no locks.",
      "With --million one of 1,000,000 calls as well.",
    ],
  };
}

async function measure(size: number): Promise<string[]> {
  const stand = await openBenchDeps();
  try {
    const crowd = await buildLargeEvent(stand, size);
    const beside = await placeOn(stand, crowd, size);
    const bareMs = await settleBare(stand, crowd.event.id);
    const besideMs = await beside.stop();
    const placing = await placeOn(stand, crowd, size);
    const startedAt = performance.now();
    await resolveEvent(stand, { eventId: crowd.event.id, actor: null, result: "true" });
    const decidedMs = performance.now() - startedAt;
    await payAll(stand, crowd.event.id);
    const paidMs = performance.now() - startedAt - decidedMs;
    const waitsMs = await placing.stop();
    if (size <= CHECKED_MAX) await requireBalance(stand);
    return [
      show(size),
      show(bareMs / 1_000),
      show(decidedMs / 1_000),
      show(paidMs / 1_000),
      showRatio((decidedMs + paidMs) / bareMs),
      show(((decidedMs + paidMs) * 1_000) / size),
      [median(besideMs), Math.max(...besideMs)].map(show).join(" / "),
      [median(waitsMs), quantile(waitsMs, 0.99), Math.max(...waitsMs)].map(show).join(" / "),
    ];
  } finally {
    await stand.close();
  }
}

async function payAll(stand: BenchDeps, eventId: number): Promise<void> {
  for (;;) {
    const [unpaid] = await listUnpaidSettlements(stand.pool.db, [eventId]);
    if (unpaid === undefined) return;
    await paySettlement(stand, unpaid);
  }
}

async function requireBalance({ pool }: BenchDeps): Promise<void> {
  const differences = await listDifferences(pool.db);
  if (differences.length > 0) throw new Error(`the books do not agree: ${JSON.stringify(differences)}`);
}

/** Players of the crowd place one call after the other on another event, each batch by its own connection. */
async function placeOn(stand: BenchDeps, { firstUserId }: LargeEvent, size: number): Promise<Placing> {
  const event = await buildEvent(stand, "open", { durationSeconds: 1_800 });
  const { true: spot } = await readSpots(stand, event.id);
  const pool = connect(stand.env.databaseUrl, { poolSize: PLACERS });
  const tookMs: number[] = [];
  let over = false;
  const keepPlacing = async () => {
    while (!over) {
      const askedAt = performance.now();
      const userId = firstUserId + Math.floor(Math.random() * size);
      const call = { userId, spotId: spot.id, wagerCents: 1, idempotencyKey: crypto.randomUUID() };
      const [placed] = await placeCalls(pool.db, [call]);
      if (placed?.code !== "placed") throw new Error(`the call was not placed: ${placed?.code}`);
      tookMs.push(performance.now() - askedAt);
      await Bun.sleep(5);
    }
  };
  const done = Promise.all(Array.from({ length: PLACERS }, keepPlacing));
  return {
    stop: async () => {
      over = true;
      await done;
      await pool.close();
      return tookMs;
    },
  };
}
