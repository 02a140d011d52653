import { sql } from "drizzle-orm";
import * as v from "valibot";
import { connect, POOL_SIZE_MAX, type Transaction } from "#db/client.ts";
import { listUnpaidSettlements } from "#db/ledger/list-settlements.ts";
import { placeCalls } from "#db/ledger/place-calls.ts";
import { queryRow, wholeNumber } from "#db/ledger/query.ts";
import { whenFree } from "#src/play/calls/when-free.ts";
import { paySettlement } from "#src/play/settlements/pay-settlement.ts";
import { resolveEvent } from "#src/show/events/resolve-event.ts";
import { resolveDue } from "#src/show/timers/perform-transition.ts";
import { listDifferences } from "#tests/support/books.ts";
import { buildAdmin, buildEvent, readSpots } from "#tests/support/build.ts";
import { inLongTransaction } from "#tests/support/in-long-transaction.ts";
import { type BenchDeps, openBenchDeps } from "../bench-deps.ts";
import { atMost, type Goal, median, quantile, show, showRatio, type Table } from "../table.ts";
import { buildLargeEvent, type LargeEvent } from "./large-event.ts";

const LARGE = 100_000;
const SIZES = [10_000, LARGE];
const MILLION = 1_000_000;
/** Of the smallest size. */
const ROUNDS = 3;
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
export async function benchSettle(): Promise<Table> {
  const sizes = process.argv.includes("--million") ? [...SIZES, MILLION] : SIZES;
  const figures: Figures[] = [];
  for (const size of sizes) figures.push(await measureSize(size));
  return {
    title: "settle: a large event, decided and paid in parts, against plain SQL in one transaction",
    rows: [
      [
        "calls",
        "plain SQL s",
        "answered ms",
        "decided s",
        "paid s",
        "ratio",
        "us per call",
        "bytes of WAL per call",
        "call ms, plain SQL: p50 / max",
        "call ms, paying: p50 / p99 / max",
      ],
      ...figures.map(rowOf),
    ],
    goals: goalsOf(figures),
    notes: [
      "Plain SQL writes copies of the rows with the same indexes and checks; it has no triggers, no journal and no locks.",
      "Answered: the host's request. Of 10,000 calls the median of three rounds; waits are those of all rounds.",
      "With --million, also an event with 1,000,000 calls.",
    ],
  };
}

type Figures = {
  size: number;
  bareMs: number;
  answeredMs: number;
  decidedMs: number;
  paidMs: number;
  walBytes: number;
  callsBesideMs: readonly number[];
  callsMs: readonly number[];
};

const settledMs = ({ answeredMs, decidedMs, paidMs }: Figures) => answeredMs + decidedMs + paidMs;
const ratioOf = (figures: Figures) => settledMs(figures) / figures.bareMs;

function rowOf(figures: Figures): string[] {
  const { size, bareMs, answeredMs, decidedMs, paidMs, walBytes, callsBesideMs, callsMs } = figures;
  return [
    show(size),
    show(bareMs / 1_000),
    show(answeredMs),
    show(decidedMs / 1_000),
    show(paidMs / 1_000),
    showRatio(ratioOf(figures)),
    show((settledMs(figures) * 1_000) / size),
    show(walBytes / size),
    [median(callsBesideMs), Math.max(...callsBesideMs)].map(show).join(" / "),
    [median(callsMs), quantile(callsMs, 0.99), Math.max(...callsMs)].map(show).join(" / "),
  ];
}

function goalsOf(figures: readonly Figures[]): Goal[] {
  const perCall = figures.map((each) => settledMs(each) / each.size);
  const growth = (perCall.at(-1) ?? Number.NaN) / (perCall[0] ?? Number.NaN);
  return [
    ...figures.flatMap((each) => {
      const of = `with ${show(each.size)} calls`;
      return [
        atMost(each.size < LARGE ? 2 : 1.5, {
          what: `settling ${of}, to plain SQL`,
          measured: ratioOf(each),
          unit: "x",
        }),
        atMost(60, { what: `p99 of a call ${of}`, measured: quantile(each.callsMs, 0.99), unit: "ms" }),
        atMost(100, { what: `the longest call ${of}`, measured: Math.max(...each.callsMs), unit: "ms" }),
        atMost(1_000, { what: `the answer ${of}`, measured: each.answeredMs, unit: "ms" }),
      ];
    }),
    atMost(1.5, { what: "time per call, of the largest event to the smallest", measured: growth, unit: "x" }),
  ];
}

/** Measures each round on another event of one database. */
async function measureSize(size: number): Promise<Figures> {
  const deps = await openBenchDeps();
  try {
    await warmUp(deps);
    const rounds: Figures[] = [];
    for (let round = 0; round < (size === SIZES[0] ? ROUNDS : 1); round += 1)
      rounds.push(await measure(deps, size));
    if (size <= CHECKED_MAX) await requireBalance(deps);
    const [middle] = rounds.toSorted((a, b) => ratioOf(a) - ratioOf(b)).slice(Math.floor(rounds.length / 2));
    if (middle === undefined) throw new Error("nothing was measured");
    return { ...middle, callsMs: rounds.flatMap(({ callsMs }) => callsMs) };
  } finally {
    await deps.close();
  }
}

/** Every connection of the pool pays a small event, as those of a worker have. */
async function warmUp(deps: BenchDeps): Promise<void> {
  for (let n = 0; n < 2 * POOL_SIZE_MAX; n += 1) {
    const { event } = await buildLargeEvent(deps, 10);
    await resolveEvent(deps, { eventId: event.id, actor: null, result: "true" });
    await payAll(deps, event.id);
  }
}

async function measure(deps: BenchDeps, size: number): Promise<Figures> {
  const large = await buildLargeEvent(deps, size);
  const { id: eventId } = large.event;
  const admin = await buildAdmin(deps);
  const placingBeside = await placeOn(deps, large, size);
  const bareMs = await settleBare(deps, eventId);
  const callsBesideMs = await placingBeside.stop();
  const placing = await placeOn(deps, large, size);
  const walAt = await readWalPosition(deps);
  const [answered, answeredMs] = await timed(() =>
    resolveEvent(deps, { eventId, actor: admin, result: "true" }),
  );
  const { scheduleVersion: version, result } = answered;
  // What the timer does with a result that the request has left to it.
  const [, decidedMs] = await timed(async () => {
    if (result === null) await resolveDue(deps, { eventId, actor: null, version });
  });
  const [, paidMs] = await timed(() => payAll(deps, eventId));
  const walBytes = (await readWalPosition(deps)) - walAt;
  const callsMs = await placing.stop();
  return { size, bareMs, answeredMs, decidedMs, paidMs, walBytes, callsBesideMs, callsMs };
}

async function timed<Result>(work: () => Promise<Result>): Promise<[result: Result, ms: number]> {
  const startedAt = performance.now();
  const result = await work();
  return [result, performance.now() - startedAt];
}

/** The number of bytes that have been written to the write-ahead log so far. */
async function readWalPosition({ pool }: BenchDeps): Promise<number> {
  const position = v.object({ bytes: wholeNumber });
  const { bytes } = await queryRow(pool.db, position)`
    SELECT pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0') AS bytes`;
  return bytes;
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
  const pool = connect(deps.env.ownerDatabaseUrl, { poolSize: CONNECTIONS });
  const tookMs: number[] = [];
  let stopped = false;
  const keepPlacing = async () => {
    while (!stopped) {
      const sentAt = performance.now();
      const userId = firstUserId + Math.floor(Math.random() * size);
      const call = { userId, spotId: spot.id, wagerCents: 1, idempotencyKey: crypto.randomUUID() };
      // As the product does, while a part of the settlement holds the wallet.
      const placed = await whenFree(async () => {
        const [tried] = await placeCalls(pool, [call]);
        return tried?.code === "busy" ? null : tried?.code;
      });
      if (placed !== "placed") throw new Error(`the call was not placed: ${placed}`);
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

const TABLES = ["calls", "accounts", "entries", "results", "scores"];

/**
 * Settles copies of an event's rows with plain SQL in one transaction: the same payouts, one entry per call, one change per
 * wallet, the results, and the scores of the session and of all sessions. The copies have the same columns, indexes and checks, but no triggers, no journal and
 * no locks, and this settlement could not continue after a crash.
 * @returns the duration with the commit and without the copying, in milliseconds.
 */
async function settleBare({ pool }: BenchDeps, eventId: number): Promise<number> {
  await inLongTransaction(pool.db, (tx) => copyTables(tx, eventId));
  const startedAt = performance.now();
  await inLongTransaction(pool.db, (tx) => pay(tx, eventId));
  const tookMs = performance.now() - startedAt;
  for (const table of TABLES) await pool.db.execute(sql.raw(`DROP TABLE bare_${table}`));
  return tookMs;
}

async function copyTables(tx: Transaction, eventId: number): Promise<void> {
  for (const table of TABLES) {
    await tx.execute(sql.raw(`CREATE TABLE bare_${table} (LIKE ${table} INCLUDING ALL)`));
  }
  await tx.execute(sql.raw(`ALTER TABLE bare_accounts SET (fillfactor = 70)`));
  await tx.execute(
    sql`INSERT INTO bare_calls OVERRIDING SYSTEM VALUE SELECT * FROM calls WHERE event_id = ${eventId}`,
  );
  await tx.execute(sql`INSERT INTO bare_accounts OVERRIDING SYSTEM VALUE
    SELECT * FROM accounts WHERE user_id IN (SELECT user_id FROM calls WHERE event_id = ${eventId})`);
  await tx.execute(sql`ANALYZE bare_calls, bare_accounts`);
}

async function pay(tx: Transaction, eventId: number): Promise<void> {
  await tx.execute(sql`UPDATE bare_calls c
    SET state = 'resolved', payout_cents = p.payout_cents, outcome = p.outcome, ended_at = now(), updated_at = now()
    FROM payouts(${eventId}, 1, 'true', NULL) p WHERE p.call_id = c.id`);
  await tx.execute(sql`INSERT INTO bare_entries (journal_id, account_id, call_id, amount_cents, balance_after_cents,
      held_after_cents, account_version, listed, created_at)
    SELECT 1, a.id, c.id, c.payout_cents - c.wager_cents,
      a.posted_cents + sum(c.payout_cents - c.wager_cents) OVER so_far, 0, a.version + row_number() OVER so_far, false, now()
    FROM bare_calls c JOIN bare_accounts a ON a.id = c.account_id WHERE c.payout_cents <> c.wager_cents
    WINDOW so_far AS (PARTITION BY a.id ORDER BY c.id)`);
  await tx.execute(sql`UPDATE bare_accounts a SET posted_cents = posted_cents + s.net, held_cents = held_cents - s.wager,
      held_calls = held_calls - s.n, moves_count = moves_count + s.n, resolved_calls = resolved_calls + s.n,
      version = version + s.n, revision = revision + 1
    FROM (
      SELECT account_id, sum(payout_cents - wager_cents) AS net, sum(wager_cents) AS wager, count(*) AS n
      FROM bare_calls GROUP BY 1
    ) s WHERE a.id = s.account_id`);
  await tx.execute(sql`INSERT INTO bare_results (event_id, user_id, session_id, resolved_at, calls_count, net_cents,
      wagered_cents, returned_cents, refunded)
    SELECT c.event_id, c.user_id, e.session_id, now(), count(*), sum(c.payout_cents - c.wager_cents), sum(c.wager_cents),
      sum(c.payout_cents), false
    FROM bare_calls c JOIN events e ON e.id = c.event_id GROUP BY 1, 2, 3`);
  await tx.execute(sql`INSERT INTO bare_scores (user_id, session_id, played, wins, losses, refunded, calls_count, net_cents,
      wagered_cents, returned_cents, current_streak, best_streak, last_resolved_at, last_event_id)
    SELECT r.user_id, scope.session_id, 1, (net_cents > 0)::int, (net_cents < 0)::int, 0, calls_count, net_cents,
      wagered_cents, returned_cents, (net_cents > 0)::int, (net_cents > 0)::int, resolved_at, event_id
    FROM bare_results r CROSS JOIN LATERAL (VALUES (NULL), (r.session_id)) scope (session_id)`);
}
