import { connect, type DatabasePool } from "#db/client.ts";
import { placeCalls } from "#db/ledger/place-calls.ts";
import { findSignIn } from "#src/people/sign-ins/find-sign-in.ts";
import { readSignInCookie } from "#src/people/sign-ins/sign-in-cookie.ts";
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
const CLIENTS = [1, 8, 64, 256];
const PROCESSES = [1, 2];
/** Postgres allows 100 connections. More clients than this wait for one. */
const CONNECTIONS_MAX = 64;
const columns = [
  "clients",
  "one statement",
  "two trips",
  "HTTP",
  "to statement",
  "to trips",
  "HTTP p50 ms",
  "HTTP p99 ms",
];

/** What was measured with so many clients. */
type Figures = Record<"count" | "statement" | "trips" | "http" | "p50Ms" | "p99Ms", number>;

type Side = { clients: readonly Client[]; openLane: OpenLane };
type Sides = { statement: Side; trips: Side; http: Side };

/**
 * Measures calls that are placed over HTTP in web processes in production mode, from the request to the response. There are two
 * baselines, sent by as many clients to another database: the ledger's statement for one call, and the look-up of a sign-in
 * followed by that statement. There are 256 players, who place calls on one event, in turn where there are fewer clients.
 */
export async function benchApi(): Promise<Table[]> {
  const [product, bare] = [await openBenchDeps(), await openBenchDeps()];
  const pool = connect(bare.env.ownerDatabaseUrl, { poolSize: CONNECTIONS_MAX });
  try {
    const clients = await buildClients(product);
    const bareClients = await buildClients(bare);
    const baselines = {
      statement: { clients: bareClients, openLane: placeByStatement(pool) },
      trips: { clients: bareClients, openLane: placeByTrips({ ...bare, pool }) },
    };
    const tables: Table[] = [];
    for (const processes of PROCESSES) {
      const web = await startWeb(product, { processes });
      try {
        const http = { clients, openLane: placeByHttp(web.origin) };
        tables.push(await measureCounts(product, processes, { ...baselines, http }));
      } finally {
        await web.stop();
      }
    }
    return tables;
  } finally {
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
    const signInId = await readSignInCookie(deps.env, new Request(deps.env.publicUrl, { headers }));
    return {
      userId,
      spotId: spots[index % spots.length]?.id ?? Number.NaN,
      headers,
      signInId: signInId ?? "",
    };
  });
  return Promise.all(clients);
}

async function measureCounts(product: BenchDeps, processes: number, sides: Sides): Promise<Table> {
  const figures: Figures[] = [];
  for (const count of CLIENTS) {
    figures.push(await measure(sides, { count, settled: () => waitForBroadcasts(product) }));
  }
  const webs = processes === 1 ? "one web process" : `${processes} web processes`;
  return {
    title: `api: calls placed per second with ${webs}, medians of interleaved rounds`,
    rows: [columns, ...figures.map(rowOf)],
    goals: processes > 1 ? [] : figures.flatMap(goalsOf),
    notes: [
      "Two trips: the look-up of the sign-in, then the statement.",
      `The baselines have ${CONNECTIONS_MAX} connections at most.`,
    ],
  };
}

function rowOf({ count, statement, trips, http, p50Ms, p99Ms }: Figures): string[] {
  const rates = [statement, trips, http].map(show);
  return [
    show(count),
    ...rates,
    showRatio(http / statement),
    showRatio(http / trips),
    show(p50Ms),
    show(p99Ms),
  ];
}

function goalsOf({ count, statement, trips, http, p99Ms }: Figures): Goal[] {
  const clients = count === 1 ? "1 client" : `${count} clients`;
  const toStatement = {
    what: `${clients}, to the statement`,
    measured: http / statement,
    unit: "x",
  } as const;
  const toTrips = { what: `${clients}, to two trips`, measured: http / trips, unit: "x" } as const;
  const p99 = { what: `${clients}, p99`, measured: p99Ms, unit: "ms" } as const;
  if (count === 1) return [atLeast(0.65, toStatement), atLeast(0.95, toTrips)];
  if (count === 64) return [atLeast(6, toStatement), atMost(25, p99)];
  if (count === 256) return [atLeast(8, toStatement), atMost(60, p99)];
  return [];
}

async function measure(
  sides: Sides,
  { count, settled }: { count: number; settled: () => Promise<void> },
): Promise<Figures> {
  // The first round is a warm-up.
  const [statement = [], trips = [], http = []] = await interleave(
    [
      () => placeForRound(sides.statement, count),
      () => placeForRound(sides.trips, count),
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
    trips: rateOf(trips),
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

/** As a product would do it that looks up who asks before it does what they ask for. */
function placeByTrips(deps: BenchDeps): OpenLane {
  const place = async (client: Client) => {
    const signIn = await findSignIn(deps, client.signInId ?? "");
    if (signIn?.viewer.id !== client.userId) throw new Error("the player is not signed in");
    await placeOne(deps.pool, client);
  };
  return () => Promise.resolve({ place });
}
