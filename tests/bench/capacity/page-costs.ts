import type { Show } from "../build-show.ts";
import { openConnection } from "../http-connection.ts";
import type { ClientReport, Visit } from "../page-client.ts";
import { startClient } from "../start-client.ts";
import { type Product, spend } from "./product.ts";
import {
  type Cpu,
  noCpu,
  onlyOf,
  type PageKind,
  pageKinds,
  type Part,
  sumCpu,
  type Units,
  withoutCpu,
} from "./units.ts";

const CONNECTIONS = 32;
/** A server's code is compiled while it answers its first pages of each kind. */
const WARM_UP_MS = { action: 10_000, other: 2_500 };
const ROUND_MS = 2_500;
const INVOLVED: Part[] = ["web", "postgres", "redis"];
/** Pages a second, and for how long. */
const RATES = [
  { perSecond: 20, seconds: 10 },
  { perSecond: 100, seconds: 10 },
];

/** The players' requests for the pages of each kind. */
export type Visits = Record<PageKind, Visit[]>;
type PageUnits = Pick<Units, "pages" | "pageCurve">;

/** Measures all pages: at full load, and the action page at lower rates too. `idle`: see `Units`. */
export async function measurePages(product: Product, visits: Visits, idle: Cpu): Promise<PageUnits> {
  const { origin } = product.web;
  const client = startClient();
  const load = (kind: PageKind, roundMs: number): Promise<ClientReport> =>
    client.run({ origin, visits: visits[kind], connections: CONNECTIONS, roundMs });
  try {
    const pages: Units["pages"] = {
      action: { cpu: noCpu, bytes: 0 },
      history: { cpu: noCpu, bytes: 0 },
      wallet: { cpu: noCpu, bytes: 0 },
      leaderboard: { cpu: noCpu, bytes: 0 },
    };
    let actionPerSecond = 0;
    for (const kind of pageKinds) {
      await load(kind, kind === "action" ? WARM_UP_MS.action : WARM_UP_MS.other);
      let count = 0;
      const { cpu, seconds } = await spend(product, async () => {
        count = (await load(kind, ROUND_MS)).pages;
      });
      pages[kind] = {
        cpu: onlyOf(each(cpu, count, [idle, seconds]), INVOLVED),
        bytes: await bytesOf(origin, visits[kind]),
      };
      if (kind === "action") actionPerSecond = count / seconds;
    }
    const slower: Units["pageCurve"] = [];
    for (const { perSecond, seconds } of RATES) {
      const spent = await spend(product, () => openPages(origin, visits.action, { perSecond, seconds }));
      const cpu = onlyOf(each(spent.cpu, perSecond * seconds, [idle, spent.seconds]), INVOLVED);
      slower.push({ perSecond, cpu });
    }
    return { pages, pageCurve: [...slower, { perSecond: actionPerSecond, cpu: pages.action.cpu }] };
  } finally {
    await client.stop();
  }
}

/** Compiles the code of the action page. */
export async function warmUpPages({ web }: Product, { session, viewers }: Show): Promise<void> {
  const client = startClient();
  const visits = viewers.map(({ headers }) => ({ path: `/sessions/${session.slug}`, headers, contains: [] }));
  await client.run({ origin: web.origin, visits, connections: CONNECTIONS, roundMs: WARM_UP_MS.action });
  await client.stop();
}

/** What one of so many took, without what ran in the background. */
export function each(cpu: Cpu, count: number, ...background: (readonly [Cpu, number])[]): Cpu {
  return sumCpu([[withoutCpu(cpu, background), 1 / count]]);
}

/** Opens pages at a steady rate, also while earlier answers are pending. @returns the bytes of all answers. */
export async function openPages(
  origin: string,
  visits: readonly Visit[],
  { perSecond, seconds }: { perSecond: number; seconds: number },
): Promise<number> {
  const startedAt = performance.now();
  let bytes = 0;
  const open = async (_: unknown, index: number) => {
    await Bun.sleep(Math.max(0, startedAt + (index * 1_000) / perSecond - performance.now()));
    const visit = visits[index % visits.length];
    const response = await fetch(`${origin}${visit?.path ?? ""}`, {
      headers: { ...visit?.headers, "accept-encoding": "gzip" },
      decompress: false,
    });
    bytes += (await response.arrayBuffer()).byteLength + headBytesOf(response);
    if (response.status !== 200) throw new Error(`${visit?.path} answers ${response.status}`);
  };
  await Promise.all(Array.from({ length: Math.round(perSecond * seconds) }, open));
  return bytes;
}

/** About the bytes of an answer's head. */
export function headBytesOf(response: Response): number {
  return [...response.headers].reduce((sum, [name, value]) => sum + name.length + value.length + 4, 20);
}

/** The bytes of an answer, with its head. */
async function bytesOf(origin: string, [visit]: readonly Visit[]): Promise<number> {
  const { hostname, port, host } = new URL(origin);
  const connection = await openConnection(hostname, Number(port));
  const lines = Object.entries({ host, ...visit?.headers, "accept-encoding": "gzip" });
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join("");
  const answer = await connection.request(Buffer.from(`GET ${visit?.path} HTTP/1.1\r\n${head}\r\n`));
  connection.close();
  return answer.head.length + answer.body.length;
}
