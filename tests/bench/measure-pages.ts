import * as v from "valibot";
import type { BarePage } from "./bare-pages.tsx";
import type { BenchDeps } from "./bench-deps.ts";
import type { Show, ShowViewer } from "./build-show.ts";
import { cpuOf } from "./cpu.ts";
import { type Helper, interleave, startHelper } from "./harness.ts";
import { type ClientReport, clientReport, type ClientRound, type Visit } from "./page-client.ts";
import { variablesOf } from "./start-web.ts";
import { median, show } from "./table.ts";

/** A server's code is compiled while it answers its first twenty thousand pages, of each kind. */
const WARM_UP_PAGES = 25_000;
const WARM_UP_ROUND_MS = 5_000;
const WARM_UP_ROUNDS_MAX = 12;
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
  p99Ms: number;
  cpuUs: { web: number; postgres: number; redis: number };
  /** True if the client took nearly a whole core, so that the server could be faster. */
  clientLimited: boolean;
};

type Round = ClientReport & { cpuUs: number; server: Measured["cpuUs"] };

/** Warms up all servers, then interleaves their rounds. */
export async function measurePages(
  servers: readonly PageServer[],
  { rounds }: { rounds: number },
): Promise<Measured[]> {
  const client = startHelper("page-client.ts");
  try {
    for (const server of servers) await warmUp(client, server);
    const kept = await interleave(
      servers.map((server) => () => runRound(client, server)),
      { rounds },
    );
    return servers.map(({ name }, index) => summarize(name, kept[index] ?? []));
  } finally {
    await client.stop();
  }
}

/** Requests pages until the server's code is compiled, as that of a server that has run for a while. */
export async function warmUpPages(server: Pick<PageServer, "origin" | "visits">): Promise<void> {
  const client = startHelper("page-client.ts");
  await warmUp(client, server);
  await client.stop();
}

/** For a minute at most. */
async function warmUp(
  client: Helper,
  { origin, visits }: Pick<PageServer, "origin" | "visits">,
): Promise<void> {
  const round = { origin, visits, roundMs: WARM_UP_ROUND_MS };
  for (let rounds = 0, pages = 0; rounds < WARM_UP_ROUNDS_MAX && pages < WARM_UP_PAGES; rounds += 1)
    pages += (await request(client, round)).pages;
}

async function runRound(client: Helper, server: PageServer): Promise<Round> {
  const before = cpuNow(server);
  const { origin, visits } = server;
  const report = await request(client, { origin, visits, roundMs: ROUND_MS });
  const after = cpuNow(server);
  return { ...report, server: ofEach((part) => (after[part] - before[part]) / report.pages) };
}

async function request(client: Helper, round: Omit<ClientRound, "connections">): Promise<ClientReport> {
  return v.parse(clientReport, await client.ask({ ...round, connections: CONNECTIONS }));
}

/** What a page of the product is compared with: the page of each viewer, with a second query. */
export type Compared = Pick<BarePage, "path" | "query"> & {
  viewers: readonly ShowViewer[];
  /** The parameter of the query. */
  about: (viewer: ShowViewer) => number;
};

/** Requests a page as each viewer in turn, with the viewer's name and balance in it. */
export function visitsOf({ path, viewers }: Pick<Compared, "path" | "viewers">): Visit[] {
  return viewers.map(({ headers, shows }) => ({ path, headers, contains: shows }));
}

/**
 * Starts the bare server of a page in a process of its own, in production mode, and waits until it has loaded all contents from the
 * product.
 * @param options session: the active one.
 */
export async function startBare(
  deps: BenchDeps,
  { path, query, viewers, about }: Compared,
  { origin, session }: { origin: string; session: Show["session"] | null },
): Promise<{ server: PageServer; stop: () => Promise<void> }> {
  const helper = startHelper("bare-pages.tsx", { variables: variablesOf(deps) });
  const pages = viewers.map((viewer): BarePage => {
    return { path, query, parameter: about(viewer), userId: viewer.id, credentials: viewer.credentials };
  });
  const shown = session === null ? null : { id: session.id, slug: session.slug };
  const started = await helper.ask({ origin, session: shown, pages });
  const { port } = v.parse(v.object({ port: v.number() }), started);
  const visits = visitsOf({ path, viewers }).map((visit, index) => ({ ...visit, path: `/react/${index}` }));
  return {
    server: { name: "bare React", origin: `http://127.0.0.1:${port}`, visits, pids: { web: [helper.pid] } },
    stop: helper.stop,
  };
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

type Cpu = Measured["cpuUs"];

const ofEach = (read: (part: keyof Cpu) => number): Cpu => {
  return { web: read("web"), postgres: read("postgres"), redis: read("redis") };
};

/** NaN for what a server does not use. */
function cpuNow({ pids }: PageServer): Cpu {
  const all: Record<keyof Cpu, readonly number[]> = {
    web: pids.web,
    postgres: pids.postgres === undefined ? [] : [pids.postgres],
    redis: pids.redis === undefined ? [] : [pids.redis],
  };
  return ofEach((part) => (all[part].length === 0 ? Number.NaN : cpuOf(all[part])));
}

function summarize(name: string, rounds: readonly Round[]): Measured {
  const medianOf = (figure: (round: Round) => number) => median(rounds.map(figure));
  return {
    name,
    perSecond: medianOf(({ pages, seconds }) => pages / seconds),
    p99Ms: medianOf(({ p99Ms }) => p99Ms),
    cpuUs: ofEach((part) => medianOf(({ server }) => server[part])),
    clientLimited: medianOf(({ cpuUs, seconds }) => cpuUs / 1_000_000 / seconds) > CLIENT_BUSY,
  };
}
