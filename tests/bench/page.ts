import path from "node:path";
import * as v from "valibot";
import { startSession } from "#src/sessions/start-session.ts";
import { ownVariables } from "#src/settings/env.ts";
import { startWebProcess } from "#tests/http/web-process.ts";
import { buildCall, buildEvent, buildPlayer, buildSession } from "#tests/support/build.ts";
import { signInDirectly } from "#tests/support/client.ts";
import type { PageRequest } from "./bare-pages.tsx";
import { openBenchDeps, type BenchDeps } from "./bench-deps.ts";
import { median, quantile } from "./numbers.ts";
import { show, showRatio, type Table } from "./table.ts";

const WARM_UP_ROUNDS = 2;
const ROUNDS = 5;
const ROUND_MS = 1_500;
const CONNECTIONS = 32;
const PLANNED_EVENTS = 9;
const PLAYERS = 12;
const HTML_MIN_BYTES = 10_000;
const PRODUCTION = { NODE_ENV: "production", RATE_LIMITS: "on" };

type Page = { name: string; url: string };
type Round = { perSecond: number; p50Ms: number; p99Ms: number };

/**
 * Measures the Action page of a session with ten events, for a signed-in player. The baselines are a server that makes two
 * queries and streams the same page with React alone, and one that returns the finished page as a constant. All of them run
 * as in production, each in its own process.
 */
export async function benchPage(): Promise<Table> {
  const deps = await openBenchDeps();
  const pageRequest = await buildShow(deps);
  const web = await startWebProcess(deps, PRODUCTION);
  const bare = startBare(deps, pageRequest);
  try {
    const origin = `http://127.0.0.1:${await bare.port}`;
    const pages: Page[] = [
      { name: "called-it", url: web.origin + pageRequest.path },
      { name: "bare React", url: `${origin}/react` },
      { name: "constant", url: `${origin}/constant` },
    ];
    return tableOf(await measure(pages, pageRequest.headers));
  } finally {
    await bare.stop();
    await web.stop();
    await deps.close();
  }
}

/** Interleaves the rounds of all pages. The first WARM_UP_ROUNDS rounds do not count. */
async function measure(
  pages: readonly Page[],
  headers: Record<string, string>,
): Promise<Map<string, Round[]>> {
  const roundsByPage = new Map<string, Round[]>();
  for (let round = 0; round < WARM_UP_ROUNDS + ROUNDS; round += 1) {
    for (const page of pages) {
      const measured = await runRound(page, headers);
      if (round >= WARM_UP_ROUNDS)
        roundsByPage.set(page.name, [...(roundsByPage.get(page.name) ?? []), measured]);
    }
  }
  return roundsByPage;
}

function tableOf(roundsByPage: ReadonlyMap<string, readonly Round[]>): Table {
  const perSecond = (name: string) => median((roundsByPage.get(name) ?? []).map((round) => round.perSecond));
  const rows = [...roundsByPage].map(([name, rounds]) => [
    name,
    show(perSecond(name)),
    showRatio(perSecond(name) / perSecond("bare React")),
    showRatio(perSecond(name) / perSecond("constant")),
    show(median(rounds.map((round) => round.p50Ms))),
    show(median(rounds.map((round) => round.p99Ms))),
  ]);
  return {
    title: `page: the Action page, ${CONNECTIONS} connections, pages per second, medians of interleaved rounds`,
    rows: [["server", "pages/s", "to bare React", "to constant", "p50 ms", "p99 ms"], ...rows],
    notes: [
      "Goals: at least 2.5 x bare React and 0.15 x the constant; p99 no worse than that of bare React.",
    ],
  };
}

/** Builds a running session with ten events, open and resolved ones, and players with calls on them. */
async function buildShow(deps: BenchDeps): Promise<PageRequest> {
  const session = await buildSession(deps);
  const viewer = await buildPlayer(deps, { balanceCents: 100_000 });
  const others = await Promise.all(Array.from({ length: PLAYERS }, () => buildPlayer(deps)));
  const plan = { sessionId: session.id, startMode: "offset", offsetSeconds: 3_600 } as const;
  for (let event = 0; event < PLANNED_EVENTS; event += 1) await buildEvent(deps, "draft", plan);
  await startSession(deps, { sessionId: session.id, actor: null });
  const open = await buildEvent(deps, "open", { sessionId: session.id, durationSeconds: 1_800 });
  await buildCall(deps, { userId: viewer.id, eventId: open.id });
  for (const { id } of others) await buildCall(deps, { userId: id, eventId: open.id, side: "false" });
  const headers = await signInDirectly(deps, viewer);
  return {
    path: `/sessions/${session.slug}`,
    headers: { ...headers, accept: "text/html" },
    userId: viewer.id,
    sessionId: session.id,
  };
}

function startBare({ env }: BenchDeps, pageRequest: PageRequest) {
  const port = Promise.withResolvers<number>();
  const child = Bun.spawn(
    [process.execPath, path.join(import.meta.dir, "bare-pages.tsx"), JSON.stringify(pageRequest)],
    {
      env: {
        ...ownVariables(),
        ...PRODUCTION,
        DATA_DIR: env.dataDir,
        DATABASE_URL: env.databaseUrl,
        REDIS_URL: env.redisUrl,
        SECRET_KEY: env.secretKey,
        LOG_LEVEL: "warn",
      },
      ipc: (message) => port.resolve(v.parse(v.object({ port: v.number() }), message).port),
      onExit: () => port.reject(new Error("the bare server ended")),
    },
  );
  return {
    port: port.promise,
    stop: async () => {
      child.kill();
      await child.exited;
    },
  };
}

/** Requests the page repeatedly on all connections for ROUND_MS. */
async function runRound({ url }: Page, headers: Record<string, string>): Promise<Round> {
  const tookMs: number[] = [];
  const startedAt = performance.now();
  const keepRequesting = async () => {
    while (performance.now() - startedAt < ROUND_MS) {
      const sentAt = performance.now();
      const response = await fetch(url, { headers });
      const html = await response.text();
      if (response.status !== 200 || html.length < HTML_MIN_BYTES)
        throw new Error(`no page: ${response.status} ${html.slice(0, 500)}`);
      tookMs.push(performance.now() - sentAt);
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, keepRequesting));
  const seconds = (performance.now() - startedAt) / 1_000;
  return { perSecond: tookMs.length / seconds, p50Ms: median(tookMs), p99Ms: quantile(tookMs, 0.99) };
}
