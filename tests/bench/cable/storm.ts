import * as v from "valibot";
import { broadcast, sessionStream } from "#src/base/streams/broadcast.ts";
import type { BenchDeps } from "../bench-deps.ts";
import { buildShow, type Show } from "../build-show.ts";
import { startHelper } from "../harness.ts";
import { visitsOf, warmUpPages } from "../measure-pages.ts";
import { startWeb } from "../start-web.ts";
import { atMost, median, quantile, show, type Table } from "../table.ts";
import { signInMany } from "./sign-in-many.ts";
import { type StormReport, stormReport } from "./storm-players.ts";

const PLAYERS = 5_000;
/** Over this time the first attempts of all pages are spread; see client/base/live/cable.ts. */
const SPREAD_MS = 1_000;
const PAGE_EVERY_MS = 20;
const CALM_PAGES = 150;
const MISSED = 3;

/** A storm, and how long pages took meanwhile. */
type Storm = StormReport & { pageMs: number[] };

/** All players of a show lose their sockets, and connect again at the same moment, while others open pages. */
export async function benchStorm(deps: BenchDeps): Promise<Table> {
  const built = await buildShow(deps);
  const web = await startWeb(deps, { TRUSTED_PROXIES: "127.0.0.1" });
  const players = startHelper("cable/storm-players.ts");
  try {
    await warmUpPages({
      origin: web.origin,
      visits: visitsOf({ path: `/sessions/${built.session.slug}`, viewers: built.viewers }),
    });
    await players.ask({
      command: "open",
      port: Number(new URL(web.origin).port),
      session: JSON.stringify({ channel: "SessionsChannel", id: built.session.id }),
      players: await signInMany(deps, PLAYERS, { prefix: "stormy" }),
    });
    const calmMs: number[] = [];
    for (let page = 0; page < CALM_PAGES; page += 1) calmMs.push(await timePage(web.origin, built, page));
    const run = async (withinMs: number): Promise<Storm> => {
      // It says when it begins.
      const begun = players.ask({ command: "storm", withinMs });
      await missSome(deps, built.session.id);
      await begun;
      const report = players.next();
      const pageMs = await timePages(web.origin, built, report);
      return { ...v.parse(stormReport, await report), pageMs };
    };
    const storms = { spread: await run(SPREAD_MS), sudden: await run(0) };
    return tableOf(storms, calmMs);
  } finally {
    await players.stop();
    await web.stop();
  }
}

/** The messages that all of them have to read after the cut. */
async function missSome(deps: BenchDeps, sessionId: number): Promise<void> {
  const text = JSON.stringify({ sourceType: "Filler", text: "x".repeat(200) });
  const stream = sessionStream(sessionId);
  await Bun.sleep(500);
  await broadcast(
    deps.redis,
    Array.from({ length: MISSED }, () => ({ stream, text })),
  );
}

/** Opens pages at a steady rate until the storm is over. */
async function timePages(origin: string, built: Show, storm: Promise<unknown>): Promise<number[]> {
  const over = new AbortController();
  void storm.finally(() => over.abort());
  const pages: Promise<number>[] = [];
  while (!over.signal.aborted) {
    pages.push(timePage(origin, built, pages.length));
    await Bun.sleep(PAGE_EVERY_MS);
  }
  return Promise.all(pages);
}

async function timePage(origin: string, { viewers, session }: Show, number: number): Promise<number> {
  const startedAt = performance.now();
  const response = await fetch(`${origin}/sessions/${session.slug}`, {
    headers: viewers[number % viewers.length]?.headers ?? {},
  });
  await response.text();
  if (response.status !== 200) throw new Error(`a page has status ${response.status}`);
  return performance.now() - startedAt;
}

function tableOf(storms: Record<"spread" | "sudden", Storm>, calmMs: readonly number[]): Table {
  const row = (name: string, { allMs, liveMs, pageMs }: Storm) => [
    name,
    ...(liveMs.length === 0 ? ["", "", ""] : [allMs, median(liveMs), quantile(liveMs, 0.99)].map(show)),
    show(pageMs.length),
    show(median(pageMs)),
    show(quantile(pageMs, 0.99)),
    show(Math.max(...pageMs)),
  ];
  const calm = { allMs: 0, liveMs: [], pageMs: [...calmMs] };
  return {
    title: `cable: ${show(PLAYERS)} players are back after a cut, each with two streams and ${MISSED} messages to catch up on`,
    rows: [
      ["", "all back ms", "p50 ms", "p99 ms", "pages", "p50 ms", "p99 ms", "max ms"],
      row("nobody reconnects", calm),
      row(`all within ${SPREAD_MS} ms, as pages do`, storms.spread),
      row("all in the same instant", storms.sudden),
    ],
    goals: [
      atMost(2_000, { what: "all players back, as pages do", measured: storms.spread.allMs, unit: "ms" }),
      atMost(200, {
        what: "p99 of pages meanwhile",
        measured: quantile(storms.spread.pageMs, 0.99),
        unit: "ms",
      }),
      atMost(2_000, {
        what: "all players back, in the same instant",
        measured: storms.sudden.allMs,
        unit: "ms",
      }),
    ],
    notes: [
      "A player is back with everything that was missed. Players and pages use the same web process, which has served pages before, and two cores.",
    ],
  };
}
