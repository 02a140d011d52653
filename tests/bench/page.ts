import { TIME_ZONE_COOKIE } from "#client/base/format/time-format.ts";
import { openBenchDeps } from "./bench-deps.ts";
import { buildShow } from "./build-show.ts";
import { signInCallers } from "./callers.ts";
import { serverPids } from "./cpu.ts";
import {
  clientNotes,
  CONNECTIONS,
  cpuCells,
  type Measured,
  measurePages,
  type PageServer,
  startBare,
  visitsOf,
} from "./measure-pages.ts";
import type { Visit } from "./page-client.ts";
import { startWeb, type Web } from "./start-web.ts";
import { atLeast, atMost, show, showRatio, type Table } from "./table.ts";

/** How often the open event's pool moves, whichever server is measured. */
const CALLS_PER_SECOND = 4;
/** Pages a second, to those of bare React: reading, deciding and compressing cost no more than its streaming. */
const GOAL = 1;
const P99_GOAL = 1.2;
export const EVENTS_QUERY =
  "SELECT * FROM events e JOIN spots s ON s.event_id = e.id WHERE e.session_id = $1";

/**
 * Measures the Action page of a running session, for 200 signed-in viewers in turn. Ten events, five of them published; other
 * players place calls on the open one all the time. The baselines are a server that makes two queries and streams the same
 * page with React alone, and one that returns the finished page as a constant. All of them run as in production, each in its
 * own process.
 */
export async function benchPage(): Promise<Table> {
  const deps = await openBenchDeps();
  const built = await buildShow(deps);
  const web = await startWeb(deps);
  // Only Linux shares a port among processes.
  const two = process.platform === "linux" ? await startWeb(deps, { processes: 2 }) : null;
  const page = {
    path: `/sessions/${built.session.slug}`,
    query: EVENTS_QUERY,
    viewers: built.viewers,
    about: () => built.session.id,
  };
  const bare = await startBare(deps, page, { origin: web.origin, session: built.session });
  const callers = await signInCallers(deps, web.origin);
  const calling = callers.call([{ spotIds: built.spotIds }], CALLS_PER_SECOND);
  try {
    const { postgres, redis } = await serverPids(deps);
    const visits = visitsOf(page);
    const { server } = bare;
    const productServer = (name: string, { origin, pids }: Web): PageServer => ({
      name,
      origin,
      visits,
      pids: { web: pids, postgres, redis },
    });
    const servers: PageServer[] = [
      productServer("called-it", web),
      { ...productServer("called-it, styles known", web), visits: withStyles(visits) },
      { ...server, pids: { ...server.pids, postgres } },
      { ...server, name: "constant", visits: constantVisits(visits) },
      ...(two === null ? [] : [productServer("called-it, two processes", two)]),
    ];
    return tableOf(await measurePages(servers));
  } finally {
    await calling.stop();
    await bare.stop();
    await web.stop();
    await two?.stop();
    await deps.close();
  }
}

/** The same viewers, in whose browsers the app has run before: they have the styles. */
function withStyles(visits: readonly Visit[]): Visit[] {
  return visits.map((visit) => {
    const { cookie = "", ...headers } = visit.headers;
    return { ...visit, headers: { ...headers, cookie: `${cookie}; ${TIME_ZONE_COOKIE}=UTC` } };
  });
}

/** The constant is the page of the first viewer. */
function constantVisits(visits: readonly Visit[]): Visit[] {
  return visits.map((visit) => ({ ...visit, path: "/constant", contains: visits[0]?.contains ?? [] }));
}

function tableOf(measured: readonly Measured[]): Table {
  const of = (name: string, figure: "perSecond" | "p99Ms") =>
    measured.find((each) => each.name === name)?.[figure] ?? Number.NaN;
  const perSecond = (name: string) => of(name, "perSecond");
  const rows = measured.map((each) => [
    each.name,
    show(each.perSecond),
    showRatio(each.perSecond / perSecond("bare React")),
    showRatio(each.perSecond / perSecond("constant")),
    show(each.p50Ms),
    show(each.p99Ms),
    ...cpuCells(each),
  ]);
  return {
    title: `page: the Action page, 200 viewers in turn on ${CONNECTIONS} connections, medians of interleaved rounds`,
    rows: [
      [
        "server",
        "pages/s",
        "to bare React",
        "to constant",
        "p50 ms",
        "p99 ms",
        "web us",
        "Postgres us",
        "Redis us",
      ],
      ...rows,
    ],
    goals: [
      atLeast(GOAL, {
        what: "pages to bare React",
        measured: perSecond("called-it") / perSecond("bare React"),
        unit: "x",
      }),
      atMost(P99_GOAL * of("bare React", "p99Ms"), {
        what: "p99",
        measured: of("called-it", "p99Ms"),
        unit: "ms",
      }),
    ],
    notes: [
      `The goal of the p99 is ${show(P99_GOAL)} times that of bare React.`,
      `Ten events, five published. Other players place ${CALLS_PER_SECOND} calls a second, during the rounds of all servers.`,
      "us: CPU time of a page. Bare React has each viewer's content in memory, makes two queries, and compresses nothing.",
      `${show(navigator.hardwareConcurrency)} cores for servers, databases and client.`,
      ...clientNotes(measured),
    ],
  };
}
