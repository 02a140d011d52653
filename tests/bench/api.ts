import { connect, type DatabasePool } from "#db/client.ts";
import { placeCalls } from "#db/ledger/place-calls.ts";
import { buildEvent, buildPlayer, readSpots } from "#tests/support/build.ts";
import { signInDirectly } from "#tests/support/client.ts";
import { openBenchDeps, type BenchDeps, waitForBroadcasts } from "./bench-deps.ts";
import { interleave } from "./harness.ts";
import { openConnection, requestBytes } from "./http-connection.ts";
import { startWeb } from "./start-web.ts";
import { atLeast, atMost, median, quantile, show, showRatio, type Goal, type Table } from "./table.ts";

const ROUND_MS = 1_500;
const WAGER_CENTS = 1;

/** A player, and the spot of the player's calls. */
type Client = { userId: number; spotId: number; headers: Record<string, string> };
/** Places calls, one at a time. `place` rejects if the call was not placed. */
type Lane = { place: (client: Client) => Promise<void>; close?: () => void };
type OpenLane = () => Promise<Lane>;
/** The result of one round. */
type PlacingRound = { perSecond: number; p50Ms: number; p99Ms: number };

/**
 * Places calls for ROUND_MS, `lanes` at the same time. Each lane has its own clients and takes them in turn, because the calls
 * of one account are limited in production.
 */
async function placeForRound(
  { clients, openLane }: { clients: readonly Client[]; openLane: OpenLane },
  lanes: number,
): Promise<PlacingRound> {
  const open = await Promise.all(Array.from({ length: lanes }, openLane));
  const tookMs: number[] = [];
  const startedAt = performance.now();
  const keepPlacing = async ({ place }: Lane, lane: number) => {
    const own = clients.filter((_, index) => index % lanes === lane);
    for (let call = 0; performance.now() - startedAt < ROUND_MS; call += 1) {
      const client = own[call % own.length];
      if (client === undefined) throw new Error(`there are fewer clients than ${lanes}`);
      const sentAt = performance.now();
      await place(client);
      tookMs.push(performance.now() - sentAt);
    }
  };
  await Promise.all(open.map(keepPlacing));
  const seconds = (performance.now() - startedAt) / 1_000;
  for (const { close } of open) close?.();
  return { perSecond: tookMs.length / seconds, p50Ms: median(tookMs), p99Ms: quantile(tookMs, 0.99) };
}

/** The call that both sides of a comparison place. */
function callOf({ userId, spotId }: Client) {
  return { userId, spotId, wagerCents: WAGER_CENTS, idempotencyKey: crypto.randomUUID() };
}

const requests = new WeakMap<Client, Buffer>();

/** The request for a call. */
function requestOf(client: Client, { host, pathname }: URL): Buffer {
  const known = requests.get(client);
  if (known !== undefined) return known;
  const body = { call: { spot_id: client.spotId, wager: WAGER_CENTS / 100 } };
  const request = requestBytes(`POST ${pathname}`, { host, ...client.headers }, body);
  requests.set(client, request);
  return request;
}

/** Places calls over HTTP at this origin, on a connection for each lane. */
function placeByHttp(origin: string): OpenLane {
  const url = new URL("/api/v1/calls", origin);
  return async () => {
    const connection = await openConnection(url.hostname, Number(url.port));
    return {
      place: async (client) => {
        const { status, body } = await connection.request(requestOf(client, url));
        if (status !== 201) throw new Error(`the call was not placed: ${status} ${body.toString()}`);
      },
      close: connection.close,
    };
  };
}

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
