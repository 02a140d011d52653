import { deactivateSession } from "#src/show/sessions/activate-session.ts";
import { fillGrowth } from "../growth/fill-growth.ts";
import { shapeOf } from "../growth/fill-size.ts";
import { openBenchDeps, type BenchDeps } from "./bench-deps.ts";
import { buildShow, type Show } from "./build-show.ts";
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
import { EVENTS_QUERY } from "./page.ts";
import { startWeb, type Web } from "./start-web.ts";
import { atLeast, atMost, type Goal, show, showRatio, type Table } from "./table.ts";

const ROUNDS = 3;
const VIEWERS = 50;

/** A page of the product. */
type Kind = Compared & { name: string };

/**
 * Measures the other pages of the product, each against a bare server that streams the same content: see `benchPage`. The
 * database has 20 past sessions with 1,000 players, and a running one that is not the active session, because the active one
 * is where players are taken.
 */
export async function benchPages(): Promise<Table> {
  const deps = await openBenchDeps();
  await fillGrowth(deps, shapeOf(1));
  const built = await buildShow(deps);
  await deactivateSession(deps, { sessionId: built.session.id, actor: null });
  const web = await startWeb(deps);
  try {
    const rows: string[][] = [];
    const goals: Goal[] = [];
    const notes: string[] = [];
    for (const kind of kindsOf(built)) {
      const measured = await measureKind(deps, web, kind);
      rows.push(rowOf(kind, measured));
      goals.push(...goalsOf(kind, measured));
      notes.push(...clientNotes(measured));
    }
    return {
      title: `pages: the other pages, ${VIEWERS} viewers in turn on ${CONNECTIONS} connections, medians of interleaved rounds`,
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
        ...rows,
      ],
      goals,
      notes: ["The goal of a p99 is that of bare React.", ...notes],
    };
  } finally {
    await web.stop();
    await deps.close();
  }
}

function kindsOf({ session, viewers, admin }: Show): Kind[] {
  const about = {
    viewer: ({ id }: { id: number }) => id,
    session: () => session.id,
  };
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

async function measureKind(deps: BenchDeps, web: Web, kind: Kind): Promise<Measured[]> {
  const bare = await startBare(deps, kind, { origin: web.origin, session: null });
  try {
    const { postgres, redis } = await serverPids(deps);
    const servers = [
      { ...bare.server, pids: { ...bare.server.pids, postgres } },
      {
        name: kind.name,
        origin: web.origin,
        visits: visitsOf(kind),
        pids: { web: web.pids, postgres, redis },
      },
    ];
    return await measurePages(servers, { rounds: ROUNDS });
  } finally {
    await bare.stop();
  }
}

function goalsOf({ name }: Kind, [bare, product]: readonly Measured[]): Goal[] {
  if (bare === undefined || product === undefined) throw new Error("nothing was measured");
  return [
    atLeast(0.9, { what: `${name} to bare React`, measured: product.perSecond / bare.perSecond, unit: "x" }),
    atMost(bare.p99Ms, { what: `${name}: p99`, measured: product.p99Ms, unit: "ms" }),
  ];
}

function rowOf({ name }: Kind, [bare, product]: readonly Measured[]): string[] {
  if (bare === undefined || product === undefined) throw new Error("nothing was measured");
  return [
    name,
    show(bare.perSecond),
    show(product.perSecond),
    showRatio(product.perSecond / bare.perSecond),
    show(bare.p99Ms),
    show(product.p99Ms),
    ...cpuCells(product),
  ];
}
