import { deactivateSession } from "#src/show/sessions/activate-session.ts";
import { fillGrowth } from "../growth/fill-growth.ts";
import { shapeOf } from "../growth/fill-size.ts";
import { openBenchDeps, type BenchDeps } from "./bench-deps.ts";
import { buildShow, type Show } from "./build-show.ts";
import { signInCallers } from "./callers.ts";
import { serverPids } from "./cpu.ts";
import {
  clientNotes,
  type Compared,
  CONNECTIONS,
  cpuCells,
  type Measured,
  measurePages,
  startBare,
  visitsOf,
} from "./measure-pages.ts";
import { startWeb, type Web } from "./start-web.ts";
import { atLeast, atMost, show, showRatio, type Table } from "./table.ts";

const VIEWERS = 50;
const CPU_COLUMNS = ["web us", "Postgres us", "Redis us"];
/** How often the open event's pool moves while the Action page is measured. */
const CALLS_PER_SECOND = 4;
const EVENTS_QUERY = "SELECT * FROM events e JOIN spots s ON s.event_id = e.id WHERE e.session_id = $1";

/** A page of the product, its goals (pages a second, and the p99, to those of bare React), and how often it is measured. */
type Kind = Compared & { name: string; ratio: number; p99Ratio: number; rounds: number };
type Pair = { kind: Kind; bare: Measured; product: Measured };

/**
 * Measures pages of a running session, for signed-in viewers in turn, in a database with 20 past sessions and 1,000 players. The Action
 * page is first, for 200 viewers, while others place calls on the open event; the other pages follow, where the session is not the active
 * one, because there players are taken to it. The baseline is a server that makes two queries and streams the same page with React alone.
 * Both run as in production, each in its own process.
 */
export async function benchPages(): Promise<Table> {
  const deps = await openBenchDeps();
  await fillGrowth(deps, shapeOf(1));
  const built = await buildShow(deps);
  const web = await startWeb(deps);
  try {
    const { session, viewers } = built;
    const path = `/sessions/${session.slug}`;
    const action = { name: "Action", path, query: EVENTS_QUERY, viewers, about: () => session.id };
    const callers = await signInCallers(deps, web.origin);
    const calling = callers.call([{ spotIds: built.spotIds }], CALLS_PER_SECOND);
    const pairs = [await measure(deps, web, { ...action, ratio: 1, p99Ratio: 1.2, rounds: 5, session })];
    await calling.stop();
    await deactivateSession(deps, { sessionId: session.id, actor: null });
    for (const kind of kindsOf(built))
      pairs.push(await measure(deps, web, { ...kind, ratio: 0.9, p99Ratio: 1, rounds: 3, session: null }));
    return tableOf(pairs);
  } finally {
    await web.stop();
    await deps.close();
  }
}

/** @param options session: the active one. */
async function measure(
  deps: BenchDeps,
  web: Web,
  { session, ...kind }: Kind & { session: Show["session"] | null },
): Promise<Pair> {
  const started = await startBare(deps, kind, { origin: web.origin, session });
  try {
    const { postgres, redis } = await serverPids(deps);
    const { name, rounds } = kind;
    const [bare, product] = await measurePages(
      [
        { ...started.server, pids: { ...started.server.pids, postgres } },
        { name, origin: web.origin, visits: visitsOf(kind), pids: { web: web.pids, postgres, redis } },
      ],
      { rounds },
    );
    if (bare === undefined || product === undefined) throw new Error("nothing was measured");
    return { kind, bare, product };
  } finally {
    await started.stop();
  }
}

function tableOf(measured: readonly Pair[]): Table {
  return {
    title: `pages on ${CONNECTIONS} connections, all viewers in turn, medians of interleaved rounds`,
    rows: [
      ["page", "bare React/s", "called-it/s", "ratio", "bare p99 ms", "p99 ms", ...CPU_COLUMNS],
      ...measured.map(({ kind, bare, product }) => [
        kind.name,
        show(bare.perSecond),
        show(product.perSecond),
        showRatio(product.perSecond / bare.perSecond),
        show(bare.p99Ms),
        show(product.p99Ms),
        ...cpuCells(product),
      ]),
    ],
    goals: measured.flatMap(({ kind: { name, ratio, p99Ratio }, bare, product }) => [
      atLeast(ratio, {
        what: `${name} to bare React`,
        measured: product.perSecond / bare.perSecond,
        unit: "x",
      }),
      atMost(p99Ratio * bare.p99Ms, { what: `${name}: p99`, measured: product.p99Ms, unit: "ms" }),
    ]),
    notes: [
      "The goal of a p99 follows from that of bare React, which has each viewer's content in memory, makes two queries, and compresses nothing.",
      "us: CPU time of a page.",
      ...clientNotes(measured.flatMap(({ bare, product }) => [bare, product])),
    ],
  };
}

function kindsOf({ session, viewers, admin }: Show): (Compared & { name: string })[] {
  const page = (name: string, path: string, about: "viewer" | "session", query: string) => ({
    name,
    path,
    query,
    viewers: viewers.slice(0, VIEWERS),
    about: ({ id }: { id: number }) => (about === "viewer" ? id : session.id),
  });
  const of = `/sessions/${session.slug}`;
  return [
    page(
      "sessions",
      "/sessions",
      "session",
      "SELECT * FROM sessions WHERE id <> -$1::bigint ORDER BY id DESC LIMIT 21",
    ),
    page(
      "history",
      `${of}/history`,
      "viewer",
      "SELECT * FROM calls c JOIN events e ON e.id = c.event_id WHERE c.user_id = $1 ORDER BY c.id DESC LIMIT 20",
    ),
    page(
      "wallet",
      "/profile/wallet",
      "viewer",
      "SELECT e.* FROM entries e JOIN accounts a ON a.id = e.account_id WHERE a.user_id = $1 ORDER BY e.id DESC LIMIT 20",
    ),
    page(
      "leaderboard",
      "/leaderboard",
      "viewer",
      "SELECT * FROM scores s JOIN users u ON u.id = s.user_id WHERE s.session_id IS NULL AND u.id <> $1 ORDER BY s.wins DESC, s.losses, s.net_cents DESC, s.user_id LIMIT 20",
    ),
    { ...page("admin room", `${of}/admin`, "session", EVENTS_QUERY), viewers: [admin] },
  ];
}
