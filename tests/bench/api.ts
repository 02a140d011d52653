import { connect, type DatabasePool } from "#db/client.ts";
import { placeCalls } from "#db/ledger/place-calls.ts";
import { buildEvent, buildPlayer, readSpots } from "#tests/support/build.ts";
import { signInDirectly } from "#tests/support/client.ts";
import { type BenchDeps, openBenchDeps, waitForBroadcasts } from "./bench-deps.ts";
import { interleave } from "./harness.ts";
import {
  callOf,
  type Client,
  type OpenLane,
  placeByHttp,
  placeForRound,
  type PlacingRound,
} from "./placing.ts";
import { startWeb } from "./start-web.ts";
import { atLeast, atMost, type Goal, median, show, showRatio, type Table } from "./table.ts";

const ROUNDS = 3;
const CLIENTS = [1, 64, 256];
/** Postgres allows 100 connections. More clients than this wait for one. */
const CONNECTIONS_MAX = 64;
const columns = ["clients", "one statement", "HTTP", "to statement", "HTTP p50 ms", "HTTP p99 ms"];

/** What was measured with so many clients. */
type Figures = Record<"count" | "statement" | "http" | "p50Ms" | "p99Ms", number>;

type Side = { clients: readonly Client[]; openLane: OpenLane };
type Sides = { statement: Side; http: Side };

/**
 * Measures calls that are placed over HTTP in a web process in production mode, from the request to the response. The baseline is the
 * ledger's statement for one call, sent by as many clients to another database. There are 256 players, who place calls on one event, in
 * turn where there are fewer clients.
 */
export async function benchApi(): Promise<Table> {
  const [product, bare] = [await openBenchDeps(), await openBenchDeps()];
  const pool = connect(bare.env.ownerDatabaseUrl, { poolSize: CONNECTIONS_MAX });
  const web = await startWeb(product);
  try {
    return await measureCounts(product, {
      statement: { clients: await buildClients(bare), openLane: placeByStatement(pool) },
      http: { clients: await buildClients(product), openLane: placeByHttp(web.origin) },
    });
  } finally {
    await web.stop();
    await pool.close();
    await Promise.all([product.close(), bare.close()]);
  }
}

async function buildClients(deps: BenchDeps): Promise<Client[]> {
  const event = await buildEvent(deps, "open", { durationSeconds: 1_800 });
  const spots = Object.values(await readSpots(deps, event.id));
  const clients = Array.from({ length: Math.max(...CLIENTS) }, async (_, index) => {
    const { id: userId } = await buildPlayer(deps, { balanceCents: 10_000_000 });
    const headers = await signInDirectly(deps, { id: userId });
    return { userId, spotId: spots[index % spots.length]?.id ?? Number.NaN, headers };
  });
  return Promise.all(clients);
}

async function measureCounts(product: BenchDeps, sides: Sides): Promise<Table> {
  const figures: Figures[] = [];
  for (const count of CLIENTS) {
    figures.push(await measure(sides, { count, settled: () => waitForBroadcasts(product) }));
  }
  return {
    title: "api: calls placed per second with one web process, medians of interleaved rounds",
    rows: [columns, ...figures.map(rowOf)],
    goals: figures.flatMap(goalsOf),
    notes: [`The baseline has ${CONNECTIONS_MAX} connections at most.`],
  };
}

function rowOf({ count, statement, http, p50Ms, p99Ms }: Figures): string[] {
  const rates = [statement, http].map(show);
  return [show(count), ...rates, showRatio(http / statement), show(p50Ms), show(p99Ms)];
}

function goalsOf({ count, statement, http, p99Ms }: Figures): Goal[] {
  const clients = count === 1 ? "1 client" : `${count} clients`;
  const toStatement = {
    what: `${clients}, to the statement`,
    measured: http / statement,
    unit: "x",
  } as const;
  const p99 = { what: `${clients}, p99`, measured: p99Ms, unit: "ms" } as const;
  if (count === 1) return [atLeast(0.65, toStatement)];
  if (count === 64) return [atLeast(6, toStatement), atMost(25, p99)];
  return [atLeast(8, toStatement), atMost(60, p99)];
}

async function measure(
  sides: Sides,
  { count, settled }: { count: number; settled: () => Promise<void> },
): Promise<Figures> {
  // The first round is a warm-up.
  const [statement = [], http = []] = await interleave(
    [
      () => placeForRound(sides.statement, count),
      async () => {
        const placed = await placeForRound(sides.http, count);
        await settled();
        return placed;
      },
    ],
    { rounds: ROUNDS, warmUps: 1 },
  );
  const rateOf = (placed: readonly PlacingRound[]) => median(placed.map(({ perSecond }) => perSecond));
  return {
    count,
    statement: rateOf(statement),
    http: rateOf(http),
    p50Ms: median(http.map(({ p50Ms }) => p50Ms)),
    p99Ms: median(http.map(({ p99Ms }) => p99Ms)),
  };
}

async function placeOne(pool: DatabasePool, client: Client): Promise<void> {
  const [placed] = await placeCalls(pool, [callOf(client)]);
  if (placed?.code !== "placed") throw new Error(`the call was not placed: ${placed?.code}`);
}

function placeByStatement(pool: DatabasePool): OpenLane {
  return () => Promise.resolve({ place: (client) => placeOne(pool, client) });
}
