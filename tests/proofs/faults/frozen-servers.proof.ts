import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import path from "node:path";
import { parentOf } from "#db/embedded/processes.ts";
import { buildSignedIn } from "#tests/live/cable/cable-server.ts";
import { Client, sessionChannel } from "#tests/live/cable/client.ts";
import { figure } from "#tests/prove/figure.ts";
import { afterFile } from "#tests/support/after-file.ts";
import { testDeps } from "#tests/support/deps.ts";
import { childrenOf, makeDataFolder, startProduct } from "#tests/support/product-process.ts";
import { createTestRedis } from "#tests/support/redis.ts";
import { testServers } from "#tests/support/servers.ts";
import { createSilentProxy } from "#tests/support/silent-proxy.ts";
import { waitFor } from "#tests/support/wait-for.ts";
import { expectNothingLost, Load, openShow } from "../load.ts";

// The whole product under load. Postgres is stopped for some seconds and says nothing, like a paused machine: pages and calls are 503 with
// Retry-After, and afterwards all is answered. Or all connections to Postgres and Redis lose their packets at once: 503 until they are
// replaced. README.md beside this file says what was seen. What a frozen Redis does is in ill-redis.proof.ts.
const FREEZE_MS = 4_000;
const TEST_WITHIN_MS = 180_000;
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
  thaw(postgresProcesses());
  product.kill("SIGTERM");
  await product.exited;
  await redis.stop();
  remove();
});
const show = await openShow(deps);
const startLoad = () => Load.start(deps, { origin, show, paths: ["/profile/wallet"] });
const ana = await buildSignedIn(deps);

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
      await client.follow(sessionChannel(show.slug));
      return client;
    }
  }
}
const pools = (client: Client) =>
  client.messages(sessionChannel(show.slug)).filter(({ eventType }) => eventType === "pool").length;

/** Freezes Postgres under load, until `isNoticed` and for FREEZE_MS. @returns what was met meanwhile, and when it returned. */
async function freezeUnder(load: Load, isNoticed: () => boolean) {
  const from = load.met.length;
  const pids = postgresProcesses();
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
async function recover(load: Load, returnedAtMs: number): Promise<void> {
  const client = await followed();
  const again = (what: "page" | "call") =>
    waitFor(`a ${what}`, () => load.firstGood(what, returnedAtMs) ?? null, { withinMs: BACK_WITHIN_MS });
  const [page, call] = await Promise.all([again("page"), again("call")]);
  await waitFor("a message", () => pools(client) > 0, { withinMs: BACK_WITHIN_MS });
  const moments = { page: page.atMs, call: call.atMs, message: performance.now() };
  const after = Object.entries(moments).map(([what, atMs]) => {
    return `a ${what} ${((atMs - returnedAtMs) / 1_000).toFixed(1)} s`;
  });
  figure(`again: ${after.join(", ")}`);
  await Bun.sleep(AFTERWARDS_MS);
  client.close();
}

test(
  "while Postgres is frozen everything is refused with 503, and afterwards no call is lost",
  async () => {
    const load = await startLoad();
    await warmUp(load);
    const refused = () => load.count("page", 503) > 0 && load.count("call", 503) > 0;
    const { meanwhile, frozenAtMs, returnedAtMs } = await freezeUnder(load, refused);
    for (const what of ["page", "call"]) {
      const first = meanwhile.find((each) => each.what === what && each.status === 503);
      expect((first?.atMs ?? Number.NaN) - frozenAtMs).toBeLessThan(ANSWERED_WITHIN_MS);
    }
    expect(meanwhile.filter(({ tookMs }) => tookMs > ANSWERED_WITHIN_MS)).toEqual([]);
    await recover(load, returnedAtMs);
    await expectNothingLost(load);
  },
  TEST_WITHIN_MS,
);

test(
  "when all connections to Postgres and Redis lose their packets at once, they are replaced, and no call is lost",
  async () => {
    const load = await startLoad();
    const watching = await followed();
    await warmUp(load);
    await waitFor("a message", () => pools(watching) > 0);
    const from = load.met.length;
    const lostAtMs = performance.now();
    for (const proxy of [toPostgres, toRedis]) proxy.dropPresent();
    const heard = pools(watching);
    await recover(load, lostAtMs);
    await waitFor("the open socket to hear the game", () => pools(watching) > heard, {
      withinMs: BACK_WITHIN_MS,
    });
    expect(load.met.slice(from).filter(({ tookMs }) => tookMs > ANSWERED_WITHIN_MS)).toEqual([]);
    watching.close();
    await expectNothingLost(load);
  },
  TEST_WITHIN_MS,
);
