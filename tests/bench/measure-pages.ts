import { cpuOf } from "./cpu.ts";
import { median } from "./numbers.ts";
import type { ClientReport, Visit } from "./page-client.ts";
import { type PageClient, startClient } from "./start-client.ts";
import { show } from "./table.ts";

/** A server's code is compiled while it answers its first twenty thousand pages, of each kind. */
const WARM_UP_PAGES = 25_000;
const WARM_UP_ROUND_MS = 5_000;
const WARM_UP_ROUNDS_MAX = 12;
const ROUNDS = 5;
const ROUND_MS = 1_500;
export const CONNECTIONS = 32;
/** Above this share of a core, the client may have been the limit. */
const CLIENT_BUSY = 0.9;

/** A server under measurement: where it listens, what is requested, and the processes whose CPU time a page takes. */
export type PageServer = {
  name: string;
  origin: string;
  visits: Visit[];
  pids: { web: readonly number[]; postgres?: number; redis?: number };
};
/** What was measured of one server, medians of its rounds. CPU times are those of a page, in microseconds. */
export type Measured = {
  name: string;
  perSecond: number;
  p50Ms: number;
  p99Ms: number;
  cpuUs: { web: number; postgres: number; redis: number };
  /** True if the client took nearly a whole core, so that the server could be faster. */
  clientLimited: boolean;
};

type Round = ClientReport & { cpuUs: number; server: Measured["cpuUs"] };

/** Warms up all servers, then interleaves their rounds. */
export async function measurePages(
  servers: readonly PageServer[],
  { rounds = ROUNDS, connections = CONNECTIONS }: { rounds?: number; connections?: number } = {},
): Promise<Measured[]> {
  const client = startClient();
  const kept = servers.map(() => [] as Round[]);
  try {
    for (const server of servers) await warmUp(client, server, connections);
    for (let round = 0; round < rounds; round += 1) {
      for (const [index, server] of servers.entries())
        kept[index]?.push(await runRound(client, server, { connections, roundMs: ROUND_MS }));
    }
  } finally {
    await client.stop();
  }
  return servers.map(({ name }, index) => summarize(name, kept[index] ?? []));
}

/** Requests pages until the server's code is compiled, as that of a server that has run for a while. */
export async function warmUpPages(server: Pick<PageServer, "origin" | "visits">): Promise<void> {
  const client = startClient();
  await warmUp(client, server, CONNECTIONS);
  await client.stop();
}

/** For a minute at most. */
async function warmUp(
  client: PageClient,
  { origin, visits }: Pick<PageServer, "origin" | "visits">,
  connections: number,
): Promise<void> {
  const round = { origin, visits, connections, roundMs: WARM_UP_ROUND_MS };
  for (let rounds = 0, pages = 0; rounds < WARM_UP_ROUNDS_MAX && pages < WARM_UP_PAGES; rounds += 1)
    pages += (await client.run(round)).pages;
}

async function runRound(
  client: PageClient,
  server: PageServer,
  how: { connections: number; roundMs: number },
): Promise<Round> {
  const before = cpuNow(server);
  const { origin, visits } = server;
  const report = await client.run({ origin, visits, ...how });
  return { ...report, server: difference(before, cpuNow(server), report.pages) };
}

/** The CPU columns of a table: web, Postgres, Redis. A dash for what a server does not use. */
export function cpuCells({ cpuUs }: Measured): string[] {
  return [cpuUs.web, cpuUs.postgres, cpuUs.redis].map((us) =>
    Number.isNaN(us) ? "-" : show(Math.round(us)),
  );
}

/** Says for which servers the client was the limit. */
export function clientNotes(measured: readonly Measured[]): string[] {
  const limited = measured.filter(({ clientLimited }) => clientLimited).map(({ name }) => name);
  return limited.length === 0
    ? []
    : [`The client took a whole core, so these may be faster than measured: ${limited.join(", ")}.`];
}

function cpuNow({ pids }: PageServer): Measured["cpuUs"] {
  return {
    web: cpuOf(pids.web),
    postgres: pids.postgres === undefined ? Number.NaN : cpuOf([pids.postgres]),
    redis: pids.redis === undefined ? Number.NaN : cpuOf([pids.redis]),
  };
}

function difference(before: Measured["cpuUs"], after: Measured["cpuUs"], pages: number): Measured["cpuUs"] {
  return {
    web: (after.web - before.web) / pages,
    postgres: (after.postgres - before.postgres) / pages,
    redis: (after.redis - before.redis) / pages,
  };
}

function summarize(name: string, rounds: readonly Round[]): Measured {
  const medianOf = (figure: (round: Round) => number) => median(rounds.map(figure));
  return {
    name,
    perSecond: medianOf(({ pages, seconds }) => pages / seconds),
    p50Ms: medianOf(({ p50Ms }) => p50Ms),
    p99Ms: medianOf(({ p99Ms }) => p99Ms),
    cpuUs: {
      web: medianOf(({ server }) => server.web),
      postgres: medianOf(({ server }) => server.postgres),
      redis: medianOf(({ server }) => server.redis),
    },
    clientLimited: medianOf(({ cpuUs, seconds }) => cpuUs / 1_000_000 / seconds) > CLIENT_BUSY,
  };
}
