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
/** How often the open event's pool moves while the Action page is measured. */
const CALLS_PER_SECOND = 4;
const EVENTS_QUERY = "SELECT * FROM events e JOIN spots s ON s.event_id = e.id WHERE e.session_id = $1";

/** A page of the product, and its goals: pages a second, and the p99, to those of bare React. */
type Kind = Compared & { name: string; ratio: number; p99Ratio: number };

/**
 * Measures the Action page of a running session, for 200 signed-in viewers in turn. Ten events, five of them published; other
 * players place calls on the open one all the time. The baseline is a server that makes two queries and streams the same page with
 * React alone. Both run as in production, each in its own process.
 */
export async function benchPage(): Promise<Table> {
  const deps = await openBenchDeps();
  const built = await buildShow(deps);
  const web = await startWeb(deps);
  const callers = await signInCallers(deps, web.origin);
  const calling = callers.call([{ spotIds: built.spotIds }], CALLS_PER_SECOND);
  const { session, viewers } = built;
  const about = () => session.id;
  const page = { path: `/sessions/${session.slug}`, query: EVENTS_QUERY, viewers, about };
  try {
    const kind = { name: "Action", ...page, ratio: 1, p99Ratio: 1.2 };
    return await measureKinds(deps, web, { kinds: [kind], session, rounds: 5 });
  } finally {
    await calling.stop();
    await web.stop();
    await deps.close();
  }
}

/**
 * Measures the other pages of the product in the same way. The database has 20 past sessions with 1,000 players, and a running one
 * that is not the active session, because the active one is where players are taken.
 */
export async function benchPages(): Promise<Table> {
  const deps = await openBenchDeps();
  await fillGrowth(deps, shapeOf(1));
  const built = await buildShow(deps);
  await deactivateSession(deps, { sessionId: built.session.id, actor: null });
  const web = await startWeb(deps);
  const kinds = kindsOf(built).map((kind) => ({ ...kind, ratio: 0.9, p99Ratio: 1 }));
  try {
    return await measureKinds(deps, web, { kinds, session: null, rounds: 3 });
  } finally {
    await web.stop();
    await deps.close();
  }
}

type Asked = { kinds: readonly Kind[]; session: Show["session"] | null; rounds: number };

async function measureKinds(deps: BenchDeps, web: Web, { kinds, session, rounds }: Asked): Promise<Table> {
  const measured: { kind: Kind; bare: Measured; product: Measured }[] = [];
  for (const kind of kinds) {
    const bare = await startBare(deps, kind, { origin: web.origin, session });
    try {
      const { postgres, redis } = await serverPids(deps);
      const { name } = kind;
      const [byBare, byProduct] = await measurePages(
        [
          { ...bare.server, pids: { ...bare.server.pids, postgres } },
          { name, origin: web.origin, visits: visitsOf(kind), pids: { web: web.pids, postgres, redis } },
        ],
        { rounds },
      );
      if (byBare === undefined || byProduct === undefined) throw new Error("nothing was measured");
      measured.push({ kind, bare: byBare, product: byProduct });
    } finally {
      await bare.stop();
    }
  }
  return {
    title: `pages on ${CONNECTIONS} connections, all viewers in turn, medians of interleaved rounds`,
    rows: [
      [
        "page",
        "bare React/s",
        "called-it/s",
        "ratio",
        "bare p99 ms",
        "p99 ms",
        "web us",
        "Postgres us",
        "Redis us",
      ],
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
  const about = { viewer: ({ id }: { id: number }) => id, session: () => session.id };
  const players = viewers.slice(0, VIEWERS);
  return [
    {
      name: "sessions",
      path: "/sessions",
      viewers: players,
      query: "SELECT * FROM sessions WHERE id <> -$1::bigint ORDER BY id DESC LIMIT 21",
      about: about.session,
    },
    {
      name: "history",
      path: `/sessions/${session.slug}/history`,
      viewers: players,
      query:
        "SELECT * FROM calls c JOIN events e ON e.id = c.event_id WHERE c.user_id = $1 ORDER BY c.id DESC LIMIT 20",
      about: about.viewer,
    },
    {
      name: "wallet",
      path: "/profile/wallet",
      viewers: players,
      query:
        "SELECT e.* FROM entries e JOIN accounts a ON a.id = e.account_id WHERE a.user_id = $1 ORDER BY e.id DESC LIMIT 20",
      about: about.viewer,
    },
    {
      name: "leaderboard",
      path: "/leaderboard",
      viewers: players,
      query:
        "SELECT * FROM scores s JOIN users u ON u.id = s.user_id WHERE s.session_id IS NULL AND u.id <> $1 ORDER BY s.wins DESC, s.losses, s.net_cents DESC, s.user_id LIMIT 20",
      about: about.viewer,
    },
    {
      name: "admin room",
      path: `/sessions/${session.slug}/admin`,
      viewers: [admin],
      query: EVENTS_QUERY,
      about: about.session,
    },
  ];
}
