import { afterEach, expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { connect } from "#db/client.ts";
import { dataFolderOf } from "#db/embedded/data-folder.ts";
import { commandOf, readPid, waitUntil } from "#db/embedded/processes.ts";
import { createTestDatabase } from "#tests/support/database.ts";
import {
  childrenOf,
  makeDataFolder,
  type ProductProcess,
  startProduct,
} from "#tests/support/product-process.ts";
import { createTestRedis, readyConnection } from "#tests/support/redis.ts";

const GONE_WITHIN_MS = 10_000;
const BACK_WITHIN_MS = 15_000;

const left: { process: ProductProcess; remove: () => void }[] = [];
afterEach(async () => {
  for (const { process: product, remove } of left.splice(0)) {
    product.kill("SIGTERM");
    await product.exited;
    remove();
  }
});

/** Starts a product without the demo. It is stopped after the test. */
function startIn(dataDir: string, variables: Record<string, string> = {}, remove = () => {}): ProductProcess {
  const product = startProduct(dataDir, { DEMO: "off", ...variables });
  left.push({ process: product, remove });
  return product;
}

function newFolder(): { dataDir: string; start: (variables?: Record<string, string>) => ProductProcess } {
  const { dataDir, remove } = makeDataFolder();
  return { dataDir, start: (variables) => startIn(dataDir, variables, remove) };
}

test("the server answers, Ctrl-C leaves no process behind, and a second start finds its data", async () => {
  const { dataDir, start } = newFolder();
  const first = start();
  expect((await fetch(`${await first.url}/up`)).status).toBe(200);
  await writeMarks(dataDir);
  const children = childrenOf(first.pid);
  expect(children.length).toBeGreaterThanOrEqual(4);
  first.kill("SIGINT");
  expect(await first.exited).toBe(0);
  expect(children.filter((pid) => commandOf(pid) !== null)).toEqual([]);

  const second = start();
  await second.url;
  expect(await readMarks(dataDir)).toEqual({ row: "kept", key: "kept" });
});

test("after kill -9 all child processes end, and the next start finds its data", async () => {
  const { dataDir, start } = newFolder();
  const first = start();
  await first.url;
  await writeMarks(dataDir);
  // Redis writes to disk once a second; a kill may lose newer writes.
  await Bun.sleep(1_100);
  const children = childrenOf(first.pid);
  first.kill("SIGKILL");
  expect(await waitUntil(() => children.every((pid) => commandOf(pid) === null), GONE_WITHIN_MS)).toBe(true);

  await start().url;
  expect(await readMarks(dataDir)).toEqual({ row: "kept", key: "kept" });
});

test("processes that a killed start left behind are ended by the next one", async () => {
  const { dataDir, start } = newFolder();
  const first = start();
  await first.url;
  await writeMarks(dataDir);
  await Bun.sleep(1_100);
  const processes = childrenOf(first.pid);
  const watchdogs = processes.filter((pid) => commandOf(pid)?.startsWith("/bin/sh"));
  const orphans = processes.filter((pid) => !watchdogs.includes(pid));
  // SIGSTOP keeps the start from restarting the watchdogs that are killed first.
  process.kill(first.pid, "SIGSTOP");
  for (const pid of [...watchdogs, first.pid]) process.kill(pid, "SIGKILL");
  await first.exited;
  expect(orphans.filter((pid) => commandOf(pid) !== null)).toHaveLength(4);

  await start().url;
  expect(orphans.filter((pid) => commandOf(pid) !== null)).toEqual([]);
  expect(await readMarks(dataDir)).toEqual({ row: "kept", key: "kept" });
}, 30_000);

test("every process that crashes is restarted", async () => {
  const { dataDir, start } = newFolder();
  const url = await start().url;
  const pids = {
    worker: () => childPid(dataDir, "worker"),
    web: () => childPid(dataDir, "web"),
    Redis: () => readPid(path.join(dataDir, "redis/redis.pid")),
    Postgres: () => readPid(path.join(dataDir, "postgres/postmaster.pid")),
  };
  for (const pidOf of Object.values(pids)) {
    const before = pidOf() ?? 0;
    process.kill(before, "SIGKILL");
    const isBack = async () => {
      const now = pidOf();
      return now !== null && now !== before && commandOf(now) !== null && (await isReady(url));
    };
    expect(await waitUntil(isBack, BACK_WITHIN_MS)).toBe(true);
  }
}, 60_000);

test("a second start in the same folder is refused, with the address of the first", async () => {
  const { start } = newFolder();
  const first = start();
  const url = await first.url;
  const second = start();
  expect(await second.exited).toBe(1);
  expect(second.printed()).toContain(url);
  expect(second.printed()).toContain("DATA_DIR=.data-2 PORT=3001");
  expect(await isReady(url)).toBe(true);
});

test("a taken port is refused before anything is started", async () => {
  const taken = Bun.listen({ hostname: "127.0.0.1", port: 0, socket: { data: () => undefined } });
  const { dataDir, start } = newFolder();
  const refused = start({ PORT: String(taken.port) });
  expect(await refused.exited).toBe(1);
  expect(refused.printed()).toContain(`127.0.0.1:${taken.port} is taken`);
  expect(existsSync(path.join(dataDir, "postgres"))).toBe(false);
  taken.stop();
});

test("without Redis installed, the start prints how to install it and leaves no process behind", async () => {
  const { dataDir, start } = newFolder();
  const refused = start({ PATH: "/nowhere" });
  expect(await refused.exited).toBe(1);
  for (const cure of ["apt-get install redis-tools", "dnf install", "apk add", "brew install", "REDIS_URL"]) {
    expect(refused.printed()).toContain(cure);
  }
  const postmaster = () => readPid(path.join(dataDir, "postgres/postmaster.pid"));
  expect(await waitUntil(() => postmaster() === null, GONE_WITHIN_MS)).toBe(true);
});

test("with DATABASE_URL and REDIS_URL it uses those servers and starts no embedded ones", async () => {
  const [database, redis] = await Promise.all([createTestDatabase(), createTestRedis()]);
  const { dataDir, start } = newFolder();
  const product = start({ DATABASE_URL: database.url, REDIS_URL: redis.url });
  expect(await isReady(await product.url)).toBe(true);
  expect(existsSync(path.join(dataDir, "postgres"))).toBe(false);
  expect(existsSync(path.join(dataDir, "redis"))).toBe(false);
  product.kill("SIGTERM");
  await product.exited;
  expect(await redis.redis.ping()).toBe("PONG");
  await Promise.all([database.drop(), redis.stop()]);
});

test("a data folder whose path is too long for a socket works too", async () => {
  const { dataDir } = newFolder();
  const long = path.join(dataDir, "a-folder-with-a-long-name/".repeat(5));
  const product = startIn(long);
  expect(await isReady(await product.url)).toBe(true);
  const { socketFolder } = dataFolderOf(path.resolve(long));
  expect(existsSync(socketFolder)).toBe(true);
  product.kill("SIGTERM");
  await product.exited;
  expect(existsSync(socketFolder)).toBe(false);
});

async function writeMarks(dataDir: string): Promise<void> {
  const dataFolder = dataFolderOf(dataDir);
  const pool = connect(dataFolder.databaseUrl, { poolSize: 1 });
  await pool.sql`CREATE TABLE marks AS SELECT 'kept' AS row`;
  await pool.close();
  const redis = await readyConnection(dataFolder.redisUrl);
  await redis.set("mark", "kept");
  redis.disconnect();
}

async function readMarks(dataDir: string): Promise<{ row: unknown; key: string | null }> {
  const dataFolder = dataFolderOf(dataDir);
  const pool = connect(dataFolder.databaseUrl, { poolSize: 1 });
  const [mark] = await pool.db.execute("SELECT row FROM marks");
  await pool.close();
  const redis = await readyConnection(dataFolder.redisUrl);
  const key = await redis.get("mark");
  redis.disconnect();
  return { row: mark?.["row"], key };
}

function childPid(dataDir: string, name: string): number | null {
  const record: unknown = JSON.parse(readFileSync(path.join(dataDir, `${name}.json`), "utf8"));
  return typeof record === "object" && record !== null && "pid" in record ? Number(record.pid) : null;
}

async function isReady(url: string): Promise<boolean> {
  try {
    return (await fetch(`${url}/ready`)).ok;
  } catch {
    return false;
  }
}
