import path from "node:path";
import * as v from "valibot";
import { startSession } from "#src/sessions/start-session.ts";
import { ownVariables } from "#src/settings/env.ts";
import { startWebProcess } from "#tests/http/web-process.ts";
import { buildCall, buildEvent, buildPlayer, buildSession } from "#tests/support/build.ts";
import { signInDirectly } from "#tests/support/visitor.ts";
import type { Wanted } from "./bare-pages.tsx";
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
 * The Action page of a session with ten events, asked for by a player who is signed in, against a bare server that asks the
 * database twice and streams the same page by React's own means, and against one that knows the finished page by heart. All
 * of them run as in production, each in a process of its own.
 */
export async function benchPage(): Promise<Table> {
  const stand = await openBenchDeps();
  const wanted = await buildShow(stand);
  const web = await startWebProcess(stand, PRODUCTION);
  const bare = startBare(stand, wanted);
  try {
    const origin = `http://127.0.0.1:${await bare.port}`;
    const pages: Page[] = [
      { name: "called-it", url: web.origin + wanted.path },
      { name: "bare React", url: `${origin}/react` },
      { name: "constant", url: `${origin}/constant` },
    ];
    return tableOf(await measure(pages, wanted.headers));
  } finally {
    await bare.stop();
    await web.stop();
    await stand.close();
  }
}

/** The rounds of each page, one after the other's; what comes first only warms up. */
async function measure(
  pages: readonly Page[],
  headers: Record<string, string>,
): Promise<Map<string, Round[]>> {
  const found = new Map<string, Round[]>();
  for (let round = 0; round < WARM_UP_ROUNDS + ROUNDS; round += 1) {
    for (const page of pages) {
      const measured = await ask(page, headers);
      if (round >= WARM_UP_ROUNDS) found.set(page.name, [...(found.get(page.name) ?? []), measured]);
    }
  }
  return found;
}

function tableOf(found: ReadonlyMap<string, readonly Round[]>): Table {
  const perSecond = (name: string) => median((found.get(name) ?? []).map((round) => round.perSecond));
  const rows = [...found].map(([name, rounds]) => [
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

/** A running session with ten events, open ones and such with a result, and players who have called on them. */
async function buildShow(stand: BenchDeps): Promise<Wanted> {
  const session = await buildSession(stand);
  const viewer = await buildPlayer(stand, { balanceCents: 100_000 });
  const others = await Promise.all(Array.from({ length: PLAYERS }, () => buildPlayer(stand)));
  const plan = { sessionId: session.id, startMode: "offset", offsetSeconds: 3_600 } as const;
  for (let event = 0; event < PLANNED_EVENTS; event += 1) await buildEvent(stand, "draft", plan);
  await startSession(stand, { sessionId: session.id, actor: null });
  const open = await buildEvent(stand, "open", { sessionId: session.id, durationSeconds: 1_800 });
  await buildCall(stand, { userId: viewer.id, eventId: open.id });
  for (const { id } of others) await buildCall(stand, { userId: id, eventId: open.id, side: "false" });
  const headers = await signInDirectly(stand, viewer);
  return {
    path: `/sessions/${session.slug}`,
    headers: { ...headers, accept: "text/html" },
    userId: viewer.id,
    sessionId: session.id,
  };
}

function startBare({ env }: BenchDeps, wanted: Wanted) {
  const heard = Promise.withResolvers<number>();
  const child = Bun.spawn(
    [process.execPath, path.join(import.meta.dir, "bare-pages.tsx"), JSON.stringify(wanted)],
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
      ipc: (message) => heard.resolve(v.parse(v.object({ port: v.number() }), message).port),
      onExit: () => heard.reject(new Error("the bare server ended")),
    },
  );
  return {
    port: heard.promise,
    stop: async () => {
      child.kill();
      await child.exited;
    },
  };
}

/** Lets every connection ask for the page again and again for a while. */
async function ask({ url }: Page, headers: Record<string, string>): Promise<Round> {
  const tookMs: number[] = [];
  const startedAt = performance.now();
  const keepAsking = async () => {
    while (performance.now() - startedAt < ROUND_MS) {
      const askedAt = performance.now();
      const response = await fetch(url, { headers });
      const html = await response.text();
      if (response.status !== 200 || html.length < HTML_MIN_BYTES)
        throw new Error(`no page: ${response.status} ${html.slice(0, 500)}`);
      tookMs.push(performance.now() - askedAt);
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, keepAsking));
  const seconds = (performance.now() - startedAt) / 1_000;
  return { perSecond: tookMs.length / seconds, p50Ms: median(tookMs), p99Ms: quantile(tookMs, 0.99) };
}
