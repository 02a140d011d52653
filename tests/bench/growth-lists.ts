import { PAGE_SIZE_DEFAULT } from "#src/http/contract.ts";
import type { ShowViewer } from "./build-show.ts";
import { atMost, type Goal } from "./goal.ts";
import type { World } from "./growth-world.ts";
import { show, showRatio, type Table } from "./table.ts";

const WARM_UP_REQUESTS = 2;
const REQUESTS = 9;
const MAX_GROWTH = 1.5;

/** A request of one user. `linear`: it answers everything, so its time may grow with the size. */
type List = { name: string; path: string; by: ShowViewer; linear?: true };
/** The fastest request in each world: other work on the machine only makes it slower. */
type Timed = { name: string; linear: boolean; ms: number[] };

/**
 * Measures single requests in products of different sizes, in turn, one at a time. The heavy player's own history grows with
 * the size too.
 */
export async function measureLists(worlds: readonly World[]): Promise<Table> {
  const rows: string[][] = [];
  const first = worlds[0];
  if (first === undefined) throw new Error("nothing to measure");
  const goals: Goal[] = [];
  for (const [index, { name }] of listsOf(first).entries()) {
    const timed = await timeInTurn(worlds, index);
    const ratio = lastRatio(timed);
    if (!timed.linear)
      goals.push(atMost(MAX_GROWTH, { what: `growth of: ${name}`, measured: ratio, unit: "x" }));
    rows.push([
      name,
      ...timed.ms.map(show),
      ...timed.ms.slice(1).map((ms) => showRatio(ms / (timed.ms[0] ?? Number.NaN))),
      timed.linear ? "linear" : "flat",
    ]);
  }
  const sizes = worlds.map(({ name }) => `${name} ms`);
  return {
    title: `growth: single requests, the fastest of ${REQUESTS} in ms, in products of different sizes`,
    rows: [["request", ...sizes, ...worlds.slice(1).map(({ name }) => `${name} / 1 x`), "goal"], ...rows],
    goals,
    notes: [
      `Flat means at most ${showRatio(MAX_GROWTH)} of 1 x; linear in what it shows is at most its growth in size.`,
      "Pages are HTML of the web process; everything else is its API. The heavy player has 100, 1,000 and 10,000 calls.",
    ],
  };
}

/** One request in each world in turn. The first ones do not count. */
async function timeInTurn(worlds: readonly World[], index: number): Promise<Timed> {
  const times = worlds.map(() => [] as number[]);
  const lists = worlds.map((world) => listsOf(world)[index]);
  for (let request = 0; request < WARM_UP_REQUESTS + REQUESTS; request += 1) {
    for (const [number, world] of worlds.entries()) {
      const list = lists[number];
      if (list === undefined) throw new Error("a world has other lists");
      const ms = await time(world.web.origin, list);
      if (request >= WARM_UP_REQUESTS) times[number]?.push(ms);
    }
  }
  return {
    name: lists[0]?.name ?? "",
    linear: lists[0]?.linear === true,
    ms: times.map((each) => Math.min(...each)),
  };
}

async function time(origin: string, { path, by }: List): Promise<number> {
  const headers = path.startsWith("/api/") ? { ...by.credentials, accept: "*/*" } : by.headers;
  const startedAt = performance.now();
  const response = await fetch(origin + path, { headers, redirect: "manual" });
  const text = await response.text();
  const ms = performance.now() - startedAt;
  if (response.status !== 200) throw new Error(`${path} answers ${response.status} ${text.slice(0, 200)}`);
  return ms;
}

function lastRatio({ ms }: Timed): number {
  return (ms.at(-1) ?? Number.NaN) / (ms[0] ?? Number.NaN);
}

function listsOf({ show: built, heavy, filled }: World): List[] {
  const [player] = built.viewers;
  if (player === undefined) throw new Error("the show has no viewers");
  const { admin, session, open } = built;
  // The heavy player has a call on each event.
  const lastPage = filled.events / PAGE_SIZE_DEFAULT;
  return [
    { name: "session", path: `/api/v1/sessions/${session.slug}`, by: player },
    { name: "active session", path: "/api/v1/sessions?active=true", by: player },
    { name: "events of the session", path: `/api/v1/sessions/${session.slug}/events`, by: player },
    { name: "sessions", path: "/api/v1/sessions", by: player },
    { name: "sessions, page 3", path: "/api/v1/sessions?per_page=5&page=3", by: player },
    { name: "sessions page, admin", path: "/sessions", by: admin },
    { name: "users", path: "/api/v1/users", by: admin },
    { name: "users, page 5", path: "/api/v1/users?page=5", by: admin },
    { name: "users, last page", path: `/api/v1/users?page=${filled.users / PAGE_SIZE_DEFAULT}`, by: admin },
    { name: "users?search, one letter", path: "/api/v1/users?search=7", by: admin },
    { name: "users?search, a letter of nobody", path: "/api/v1/users?search=q", by: admin },
    { name: "users?search, one match", path: "/api/v1/users?search=filled_777%40", by: admin },
    { name: "users?search, many", path: "/api/v1/users?search=filled", by: admin },
    { name: "users?search, none", path: "/api/v1/users?search=nobody-has-this", by: admin },
    { name: "users page", path: "/users", by: admin },
    { name: "transactions, heavy", path: "/api/v1/transactions", by: heavy },
    { name: "transactions, page 5, heavy", path: "/api/v1/transactions?page=5", by: heavy },
    { name: "wallet page, heavy", path: "/profile/wallet", by: heavy },
    { name: "results, heavy", path: `/api/v1/users/${heavy.id}/results`, by: heavy },
    {
      name: "results, last page, heavy",
      path: `/api/v1/users/${heavy.id}/results?page=${lastPage}`,
      by: heavy,
    },
    { name: "calls, heavy", path: "/api/v1/calls", by: heavy },
    { name: "calls, last page, heavy", path: `/api/v1/calls?page=${lastPage}`, by: heavy },
    { name: "active calls, heavy", path: "/api/v1/calls?active=true", by: heavy },
    { name: "events of all sessions", path: "/api/v1/events", by: admin },
    { name: "calls of a session", path: `/api/v1/calls?session_id=${filled.sessionId}`, by: heavy },
    { name: "history page, heavy", path: `/sessions/${filled.sessionId}/history`, by: heavy },
    { name: "notifications, heavy", path: `/api/v1/users/${heavy.id}/notifications?limit=10`, by: heavy },
    { name: "profile, heavy", path: "/api/v1/users/me", by: heavy },
    { name: "leaderboard", path: "/api/v1/scores", by: player },
    { name: "leaderboard, page 5", path: "/api/v1/scores?page=5", by: player },
    { name: "leaders of the session", path: `/api/v1/scores/leaders?session_id=${session.slug}`, by: player },
    { name: "leaderboard page, admin", path: "/leaderboard", by: admin },
    { name: "admin room", path: `/sessions/${session.slug}/admin`, by: admin },
    { name: "preview of an event", path: `/api/v1/events/${open.id}/preview?result=true`, by: admin },
    { name: "settlement of a past event", path: `/api/v1/events/${filled.eventId}/settlement`, by: admin },
    { name: "books", path: "/api/v1/books", by: admin },
    { name: "books page", path: "/admin/books", by: admin },
    { name: "transactions.csv, heavy", path: "/api/v1/transactions.csv", by: heavy, linear: true },
  ];
}
