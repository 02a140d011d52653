import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import path from "node:path";
import { parentOf } from "#db/embedded/processes.ts";
import { ownVariables } from "#src/settings/env.ts";
import { buildSignedIn } from "#tests/live/cable/cable-server.ts";
import { Client, sessionChannel } from "#tests/live/cable/client.ts";
import { afterFile } from "#tests/support/after-file.ts";
import { buildEvent, buildRunningSession, readSpots } from "#tests/support/build.ts";
import { testDeps } from "#tests/support/deps.ts";
import { childrenOf, makeDataFolder, startProduct } from "#tests/support/product-process.ts";
import { createTestRedis } from "#tests/support/redis.ts";
import { testServers } from "#tests/support/servers.ts";
import { createSilentProxy } from "#tests/support/silent-proxy.ts";
import { waitFor } from "#tests/support/wait-for.ts";
import { countCalls, type Load, startLoad } from "./load.ts";

// The whole product under load, with a server that is stopped and says nothing, like a paused machine. Each server is frozen
// for some seconds; FREEZE_S=45 makes it longer, and prints what clients met.
//
// | frozen   | pages                              | calls           | sockets                         | afterwards        |
// | Postgres | 503 with Retry-After               | 503             | no pings; the page is "offline" | all answered      |
// | Redis    | 200: the database has all they say | placed, or 503  | no pings; the page is "offline" | missed messages   |
//
// All connections of both lose their packets at once: 503 until they are replaced. README.md beside this file says what was seen.
const { FREEZE_S = "" } = ownVariables();
const FREEZE_MS = Number(FREEZE_S || "4") * 1_000;
const TEST_WITHIN_MS = 180_000 + FREEZE_MS;
// Both are far longer than what was seen: README.md beside this file.
/** An answer takes 3 s at most while a server is silent, and a machine whose host takes its CPU away may need much more. */
const ANSWERED_WITHIN_MS = 40_000;
/** All is back within 5 s of the moment from which new connections work, on a machine that does nothing else. */
const BACK_WITHIN_MS = 60_000;
/** After the return the load goes on for so long. */
const AFTERWARDS_MS = 1_000;

const deps = await testDeps();
const { dataFolder } = await testServers();
const redis = await createTestRedis();
const toRedis = await createSilentProxy(redis.url.slice("unix:".length));
const toPostgres = await createSilentProxy(path.join(dataFolder.socketFolder, ".s.PGSQL.5432"));
const databaseUrl = new URL(deps.env.databaseUrl);
databaseUrl.searchParams.set("host", path.dirname(toPostgres.socket));
const { dataDir, remove } = makeDataFolder();
const product = startProduct(dataDir, {
  DATABASE_URL: databaseUrl.href,
  DATABASE_SILENT_SECONDS: "3",
  REDIS_URL: `unix:${toRedis.socket}`,
  SECRET_KEY: deps.env.secretKey,
  DEMO: "off",
});
const origin = await product.url;
afterFile(async () => {
  thaw(redisProcesses());
  thaw(postgresProcesses());
  product.kill("SIGTERM");
  await product.exited;
  await redis.stop();
  remove();
});
const session = await buildRunningSession(deps);
const event = await buildEvent(deps, "open", { sessionId: session.id, durationSeconds: 600 });
const spotId = (await readSpots(deps, event.id)).true.id;
const page = `${origin}/profile/wallet`;
const ana = await buildSignedIn(deps);

const redisProcesses = () => [redis.pid];
function postgresProcesses(): number[] {
  const file = path.join(dataFolder.dataDir, "postgres", "postmaster.pid");
  const postmaster = Number(readFileSync(file, "utf8").split("\n", 1)[0]);
  return [postmaster, ...childrenOf(postmaster)];
}
function freeze(pids: readonly number[]): void {
  for (const pid of pids) process.kill(pid, "SIGSTOP");
}
function thaw(pids: readonly number[]): void {
  for (const pid of pids) if (parentOf(pid) !== null) process.kill(pid, "SIGCONT");
}

/** A handshake is refused while the database is away, so a client tries again, as pages do. */
async function followed(): Promise<Client> {
  for (;;) {
    const client = new Client(`${origin.replace("http", "ws")}/cable`, { origin, cookie: ana.cookie });
    await waitFor("an answer", () => client.closed !== null || client.frames.length > 0);
    if (client.closed === null) {
      await client.follow(sessionChannel(session.slug));
      return client;
    }
  }
}
const pools = (client: Client) =>
  client.messages(sessionChannel(session.slug)).filter(({ eventType }) => eventType === "pool").length;

/** Freezes processes under load, until `isNoticed` and for FREEZE_MS. @returns what was met meanwhile, and when they returned. */
async function freezeUnder(load: Load, pids: readonly number[], isNoticed: () => boolean) {
  const from = load.met.length;
  const frozenAtMs = performance.now();
  freeze(pids);
  try {
    await Bun.sleep(FREEZE_MS);
    await waitFor("the load to meet it", isNoticed);
  } finally {
    thaw(pids);
  }
  const returnedAtMs = performance.now();
  const meanwhile = load.met.slice(from).filter(({ atMs, tookMs }) => atMs - tookMs > frozenAtMs);
  return { meanwhile, frozenAtMs, returnedAtMs };
}

/** The first page of a process takes its time. */
function warmUp(load: Load): Promise<unknown> {
  const good = (what: string) => load.met.filter((each) => each.what === what && each.status < 300).length;
  return waitFor("the load", () => good("page") > 10 && good("call") > 10, { withinMs: 40_000 });
}

/** Waits until calls are placed and pages answered again, and a new socket hears the game. */
async function recover(load: Load, returnedAtMs: number): Promise<Client> {
  const good = (what: "page" | "call") =>
    load.met.find(
      (each) => each.what === what && each.status < 300 && each.atMs - each.tookMs > returnedAtMs,
    );
  const client = await followed();
  const [page, call] = await Promise.all([
    waitFor("a page", () => good("page") ?? null, { withinMs: BACK_WITHIN_MS }),
    waitFor("a call", () => good("call") ?? null, { withinMs: BACK_WITHIN_MS }),
  ]);
  await waitFor("a message", () => pools(client) > 0, { withinMs: BACK_WITHIN_MS });
  const moments = { page: page.atMs, call: call.atMs, message: performance.now() };
  for (const [what, atMs] of Object.entries(moments)) {
    const afterMs = Math.round(atMs - returnedAtMs);
    report(`  ${what} again after ${afterMs} ms`);
    expect(afterMs).toBeLessThan(BACK_WITHIN_MS);
  }
  await Bun.sleep(AFTERWARDS_MS);
  return client;
}

/** Prints what a longer run met. */
function report(line: string): void {
  if (FREEZE_S !== "") process.stdout.write(`${line}\n`);
}
function reportMet(met: Load["met"]): void {
  for (const [key, each] of Map.groupBy(met, ({ what, status }) => `${what} ${status}`)) {
    const slowestMs = Math.max(...each.map(({ tookMs }) => tookMs));
    report(`  ${key}: ${each.length} times, slowest after ${Math.round(slowestMs)} ms`);
  }
}

async function expectNothingLost(load: Load, before: number): Promise<void> {
  const acknowledged = await load.stop();
  expect(load.differences()).toEqual([]);
  expect(await countCalls(deps)).toBe(before + acknowledged.length);
  expect(load.met.filter(({ status }) => ![200, 201, 503].includes(status))).toEqual([]);
  expect(load.met.filter(({ status, retryAfter }) => status === 503 && retryAfter === null)).toEqual([]);
}

test(
  "while Postgres is frozen everything is refused with 503, and afterwards no call is lost",
  async () => {
    const before = await countCalls(deps);
    const load = await startLoad(deps, { origin, spotId, page });
    await warmUp(load);
    const refused = () =>
      ["page", "call"].every((what) => load.met.some((each) => each.what === what && each.status === 503));
    const { meanwhile, frozenAtMs, returnedAtMs } = await freezeUnder(load, postgresProcesses(), refused);
    reportMet(meanwhile);
    for (const what of ["page", "call"]) {
      const first = meanwhile.find((each) => each.what === what && each.status === 503);
      if (first === undefined) throw new Error(`no ${what} was refused while Postgres was frozen`);
      report(`  ${what} 503 first after ${Math.round(first.atMs - frozenAtMs)} ms`);
      expect(first.atMs - frozenAtMs).toBeLessThan(ANSWERED_WITHIN_MS);
    }
    expect(meanwhile.filter(({ tookMs }) => tookMs > ANSWERED_WITHIN_MS)).toEqual([]);
    const client = await recover(load, returnedAtMs);
    client.close();
    await expectNothingLost(load, before);
  },
  TEST_WITHIN_MS,
);

test(
  "while Redis is frozen pages are answered, and afterwards sockets hear the game again",
  async () => {
    const before = await countCalls(deps);
    const load = await startLoad(deps, { origin, spotId, page });
    const watching = await followed();
    await warmUp(load);
    await waitFor("a message", () => pools(watching) > 0);
    const frozenFrom = load.met.length;
    const answered = () =>
      load.met.slice(frozenFrom).some(({ what, status }) => what === "page" && status === 200);
    const { meanwhile, returnedAtMs } = await freezeUnder(load, redisProcesses(), answered).finally(() =>
      reportMet(load.met.slice(frozenFrom)),
    );
    reportMet(meanwhile);
    const heard = pools(watching);
    const client = await recover(load, returnedAtMs);
    await waitFor("the open socket to hear the game", () => pools(watching) > heard, {
      withinMs: BACK_WITHIN_MS,
    });
    for (const one of [client, watching]) one.close();
    expect(meanwhile.filter(({ what, status }) => what === "page" && status !== 200)).toEqual([]);
    expect(meanwhile.filter(({ tookMs }) => tookMs > ANSWERED_WITHIN_MS)).toEqual([]);
    await expectNothingLost(load, before);
  },
  TEST_WITHIN_MS,
);

test(
  "when all connections to Postgres and Redis lose their packets at once, they are replaced, and no call is lost",
  async () => {
    const before = await countCalls(deps);
    const load = await startLoad(deps, { origin, spotId, page });
    const watching = await followed();
    await warmUp(load);
    await waitFor("a message", () => pools(watching) > 0);
    const from = load.met.length;
    const lostAtMs = performance.now();
    for (const proxy of [toPostgres, toRedis]) proxy.dropPresent();
    const heard = pools(watching);
    const client = await recover(load, lostAtMs);
    await waitFor("the open socket to hear the game", () => pools(watching) > heard, {
      withinMs: BACK_WITHIN_MS,
    });
    reportMet(load.met.slice(from));
    expect(load.met.slice(from).filter(({ tookMs }) => tookMs > ANSWERED_WITHIN_MS)).toEqual([]);
    for (const one of [client, watching]) one.close();
    await expectNothingLost(load, before);
  },
  TEST_WITHIN_MS,
);
