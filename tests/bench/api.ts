import { connect, type DatabasePool } from "#db/client.ts";
import { placeCalls } from "#db/ledger/place-calls.ts";
import { buildEvent, buildPlayer, readSpots } from "#tests/support/build.ts";
import { signInDirectly } from "#tests/support/client.ts";
import { openBenchDeps, type BenchDeps } from "./bench-deps.ts";
import { median } from "./numbers.ts";
import { callOf, type Client, type Place, placeByHttp, placeForRound, type PlacingRound } from "./placing.ts";
import { startWeb } from "./start-web.ts";
import { show, showRatio, type Table } from "./table.ts";
import { waitForBroadcasts } from "./wait-for-broadcasts.ts";

const ROUNDS = 3;
const CLIENTS = [1, 8, 64, 256];
/** Postgres allows 100 connections. More clients than this wait for one. */
const CONNECTIONS_MAX = 64;

type Side = { clients: readonly Client[]; place: Place };

/**
 * Measures calls that are placed over HTTP in a web process in production mode, from the request to the response. The baseline
 * is the ledger's statement for one call, sent by as many clients to another database. There are 256 players, who place
 * calls on one event, in turn where there are fewer clients.
 */
export async function benchApi(): Promise<Table> {
  const [product, bare] = [await openBenchDeps(), await openBenchDeps()];
  const web = await startWeb(product);
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
        "Goals: at least 0.65 x with 1 client, 6 x with 64 (p99 at most 25 ms) and 8 x with 256 (p99 at most 40 ms).",
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
  const [byStatement, byHttp]: [PlacingRound[], PlacingRound[]] = [[], []];
  for (let round = 0; round <= ROUNDS; round += 1) {
    const both = [await placeForRound(statement, count), await placeForRound(http, count)] as const;
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

function placeByStatement(pool: DatabasePool): Place {
  return async (client) => {
    const [placed] = await placeCalls(pool.db, [callOf(client)]);
    if (placed?.code !== "placed") throw new Error(`the call was not placed: ${placed?.code}`);
  };
}
