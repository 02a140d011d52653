import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import path from "node:path";
import { commandOf, readPid, waitUntil } from "#db/embedded/processes.ts";
import { databaseAnswers, readMark, writeMark } from "#tests/run/marks.ts";
import { afterFile } from "#tests/support/after-file.ts";
import {
  childrenOf,
  makeDataFolder,
  type ProductProcess,
  rememberProcesses,
  startProduct,
} from "#tests/support/product-process.ts";

// What crashes is restarted, and what a killed start has left is found and ended by the next one.
const WITHIN_MS = 60_000;

const { dataDir, remove } = makeDataFolder();
let shared: ProductProcess | null = null;
afterFile(async () => {
  shared?.kill("SIGTERM");
  await shared?.exited;
  remove();
});

/** The product in the folder, started if it does not run. */
async function running(): Promise<ProductProcess> {
  const product = shared ?? startProduct(dataDir, { DEMO: "off" });
  await product.url;
  shared = product;
  return product;
}

/** Waits until the product has ended. */
async function ended(): Promise<void> {
  await shared?.exited;
  shared = null;
}

test("every process that crashes is restarted", async () => {
  const url = await (await running()).url;
  const pids = {
    worker: () => childPid("worker"),
    web: () => childPid("web"),
    Redis: () => readPid(path.join(dataDir, "redis/redis.pid")),
    Postgres: () => readPid(path.join(dataDir, "postgres/postmaster.pid")),
  };
  for (const pidOf of Object.values(pids)) {
    const before = pidOf() ?? 0;
    process.kill(before, "SIGKILL");
    const isOther = (now: number | null) => now !== null && now !== before && commandOf(now) !== null;
    // An answer of /ready is kept for a second: what it says about the database may be older.
    const isBack = async () => isOther(pidOf()) && (await isReady(url)) && (await databaseAnswers(dataDir));
    expect(await waitUntil(isBack, WITHIN_MS)).toBe(true);
  }
});

test("after kill -9 all child processes end, and the next start finds its data", async () => {
  const first = await running();
  const mark = await writeMark(dataDir);
  // Redis writes to disk once a second; a kill may lose newer writes.
  await Bun.sleep(1_100);
  const stillRunning = rememberProcesses(childrenOf(first.pid));
  first.kill("SIGKILL");
  expect(await waitUntil(() => stillRunning().length === 0, WITHIN_MS)).toBe(true);
  await ended();

  await running();
  expect(await readMark(dataDir)).toBe(mark);
});

test("processes that a killed start left behind are ended by the next one", async () => {
  const first = await running();
  const mark = await writeMark(dataDir);
  await Bun.sleep(1_100);
  const processes = childrenOf(first.pid);
  const watchdogs = processes.filter((pid) => commandOf(pid)?.startsWith("/bin/sh"));
  const orphans = rememberProcesses(processes.filter((pid) => !watchdogs.includes(pid)));
  // SIGSTOP keeps the start from restarting the watchdogs that are killed first.
  process.kill(first.pid, "SIGSTOP");
  for (const pid of [...watchdogs, first.pid]) process.kill(pid, "SIGKILL");
  await ended();
  expect(orphans()).toHaveLength(4);

  await running();
  expect(orphans()).toEqual([]);
  expect(await readMark(dataDir)).toBe(mark);
});

function childPid(name: string): number | null {
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
