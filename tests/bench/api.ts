import { isNull } from "drizzle-orm";
import { connect, type DatabasePool } from "#db/client.ts";
import { placeCalls } from "#db/ledger/place-calls.ts";
import { outbox } from "#db/schema/outbox.ts";
import { startWebProcess } from "#tests/http/web-process.ts";
import { buildEvent, buildPlayer, readSpots } from "#tests/support/build.ts";
import { signInDirectly } from "#tests/support/client.ts";
import { waitFor } from "#tests/support/wait-for.ts";
import { openBenchDeps, type BenchDeps } from "./bench-deps.ts";
import { median, quantile } from "./numbers.ts";
import { show, showRatio, type Table } from "./table.ts";

const ROUNDS = 3;
const ROUND_MS = 1_500;
const CLIENTS = [1, 8, 64, 256];
/** Postgres allows 100 connections. More clients than this wait for one. */
const CONNECTIONS_MAX = 64;
const WAGER_CENTS = 1;

/** One player, and the call that is placed repeatedly. */
type Client = { userId: number; spotId: number; headers: Record<string, string> };
/** Places one call of a client. Rejects if it was not placed. */
type Place = (client: Client) => Promise<void>;
type Side = { clients: readonly Client[]; place: Place };
/** The result of one round. */
type Round = { perSecond: number; p50Ms: number; p99Ms: number };

/**
 * Measures calls that are placed over HTTP in a web process, from the request to the response. The baseline is the ledger's
 * statement for one call, sent by as many clients to another database. Each client is a different player. All clients
 * place calls on one event.
 */
export async function benchApi(): Promise<Table> {
  const [product, bare] = [await openBenchDeps(), await openBenchDeps()];
  const web = await startWebProcess(product);
  const pool = connect(bare.env.databaseUrl, { poolSize: CONNECTIONS_MAX });
  try {
    const sides = {
      http: { clients: await buildClients(product), place: placeByHttp(web.origin) },
      statement: { clients: await buildClients(bare), place: placeByStatement(pool) },
    };
    const rows: string[][] = [];
    for (const count of CLIENTS) {
      rows.push(await measure(sides, { count, settled: () => waitForBroadcasts(product) }));
    }
    return {
      title: "api: calls placed per second, medians of interleaved rounds",
      rows: [["clients", "one statement", "HTTP", "ratio", "HTTP p50 ms", "HTTP p99 ms"], ...rows],
      notes: [
        "Goals: at least 0.95 x with 1 client, 6 x with 64 and 8 x with 256; p99 at most 25 ms.",
        `The statement has ${CONNECTIONS_MAX} connections at most.`,
      ],
    };
  } finally {
    await pool.close();
    await web.stop();
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

async function measure(
  { http, statement }: { http: Side; statement: Side },
  { count, settled }: { count: number; settled: () => Promise<void> },
): Promise<string[]> {
  const [byStatement, byHttp]: [Round[], Round[]] = [[], []];
  for (let round = 0; round <= ROUNDS; round += 1) {
    const both = [await run(statement, count), await run(http, count)] as const;
    await settled();
    // The first round is a warm-up.
    if (round === 0) continue;
    byStatement.push(both[0]);
    byHttp.push(both[1]);
  }
  const baseline = median(byStatement.map((round) => round.perSecond));
  const perSecond = median(byHttp.map((round) => round.perSecond));
  return [
    String(count),
    show(baseline),
    show(perSecond),
    showRatio(perSecond / baseline),
    show(median(byHttp.map((round) => round.p50Ms))),
    show(median(byHttp.map((round) => round.p99Ms))),
  ];
}

/** Waits until the web process has broadcast all calls, so that no broadcast runs during the next round. */
async function waitForBroadcasts({ pool }: BenchDeps): Promise<void> {
  const allSent = async () => (await pool.db.$count(outbox, isNull(outbox.sentAt))) === 0;
  await waitFor("the calls to be broadcast", allSent, { withinMs: 60_000 });
}

/** Each client places one call after the other for ROUND_MS. */
async function run({ clients, place }: Side, count: number): Promise<Round> {
  const tookMs: number[] = [];
  const startedAt = performance.now();
  const keepPlacing = async (client: Client) => {
    while (performance.now() - startedAt < ROUND_MS) {
      const sentAt = performance.now();
      await place(client);
      tookMs.push(performance.now() - sentAt);
    }
  };
  await Promise.all(clients.slice(0, count).map(keepPlacing));
  const seconds = (performance.now() - startedAt) / 1_000;
  return { perSecond: tookMs.length / seconds, p50Ms: median(tookMs), p99Ms: quantile(tookMs, 0.99) };
}

function placeByStatement(pool: DatabasePool): Place {
  return async ({ userId, spotId }) => {
    const call = { userId, spotId, wagerCents: WAGER_CENTS, idempotencyKey: crypto.randomUUID() };
    const [placed] = await placeCalls(pool.db, [call]);
    if (placed?.code !== "placed") throw new Error(`the call was not placed: ${placed?.code}`);
  };
}

function placeByHttp(origin: string): Place {
  return async ({ spotId, headers }) => {
    const response = await fetch(`${origin}/api/v1/calls`, {
      method: "POST",
      headers: { ...headers, accept: "application/json", "content-type": "application/json" },
      body: JSON.stringify({ call: { spot_id: spotId, wager: WAGER_CENTS / 100 } }),
    });
    const text = await response.text();
    if (response.status !== 201) throw new Error(`the call was not placed: ${response.status} ${text}`);
  };
}
