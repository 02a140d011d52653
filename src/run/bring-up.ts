import path from "node:path";
import type { Logger } from "pino";
import { type DataFolder, dataFolderOf } from "#db/embedded/data-folder.ts";
import { startPostgres } from "#db/embedded/postgres.ts";
import { startRedis } from "#db/embedded/redis.ts";
import { launch, type Server } from "#db/embedded/server.ts";
import { migrate } from "#db/migrate.ts";
import { type Env, ownVariables } from "#src/settings/env.ts";
import { endLeftoverChild, recordChild } from "./claim-data-dir.ts";
import { type Supervised, keepRunning } from "./keep-running.ts";

/** The state of one start. */
export type Start = {
  env: Env;
  log: Logger;
  /** Prints a line to the terminal. */
  say: (line: string) => void;
  /** The running processes, in layers. Each layer needs the one before it, and is stopped before it. */
  running: Supervised[][];
};

const topFolder = path.join(import.meta.dir, "../..");
const READY_TIMEOUT_MS = 1_000;

/** Starts everything in order, printing each step. Returns when the web process is ready to serve. */
export async function bringUp(start: Start): Promise<void> {
  const { env } = start;
  const step = createStepPrinter(start);
  await Promise.all(["web", "worker"].map((name) => endLeftoverChild(env, name)));

  step("Build the pages, if they have changed");
  const building = runScript(start, "client/build/build.ts");
  await Promise.all([building, prepareDatabase(start, step)]);
  step("Start the web and the worker process");
  await startProcesses(start);
}

/** Rebuilds the pages, then restarts the web and the worker. After a failed build both keep running as they are. */
export async function takeChanges(start: Start): Promise<void> {
  try {
    await runScript(start, "client/build/build.ts");
    for (const part of start.running.at(-1) ?? []) part.restart();
  } catch (error) {
    start.say(error instanceof Error ? error.message : String(error));
  }
}

async function prepareDatabase(start: Start, step: (what: string) => void): Promise<void> {
  const { env } = start;
  step(`Start ${listServers(env)}`);
  await startServers(start);
  step("Migrate the database");
  await migrate(env.databaseUrl);
  if (!env.demo) return;
  step("Seed the demo data, if it is missing");
  await runScript(start, "jobs/demo/seed.ts");
}

/** Prints numbered steps: `[2/5] Migrate the database`. */
function createStepPrinter({ env, say }: Start): (what: string) => void {
  const steps = env.demo ? 5 : 4;
  let number = 0;
  return (what) => say(`[${++number}/${steps}] ${what}`);
}

function listServers({ embedded, dataDir }: Env): string {
  const names = [...(embedded.database ? ["Postgres"] : []), ...(embedded.redis ? ["Redis"] : [])];
  return names.length === 0
    ? "no servers: Postgres and Redis are external"
    : `${names.join(" and ")} in ${dataDir}`;
}

async function startServers({ env, log, say, running }: Start): Promise<void> {
  const dataFolder: DataFolder = dataFolderOf(env.dataDir);
  const layer: Supervised[] = [];
  running.push(layer);
  const add = async (name: string, start: () => Promise<Server>) => {
    layer.push(await keepRunning(name, start, log));
  };
  await Promise.all([
    env.embedded.database && add("Postgres", () => startPostgres(dataFolder, { durable: true })),
    env.embedded.redis &&
      add("Redis", () => startRedis(dataFolder, { durable: true, print: (line) => say(`      ${line}`) })),
  ]);
}

async function startProcesses(start: Start): Promise<void> {
  const layer: Supervised[] = [];
  start.running.push(layer);
  const add = async (name: string, file: string, isReady: () => boolean | Promise<boolean>) => {
    layer.push(await keepRunning(name, () => startProcess(start, { name, file, isReady }), start.log));
  };
  await Promise.all([
    add("web", "src/main.ts", () => isReadyToServe(start.env)),
    add("worker", "jobs/main.ts", () => true),
  ]);
}

type ProcessSpec = { name: string; file: string; isReady: () => boolean | Promise<boolean> };

function startProcess({ env }: Start, { name, file, isReady }: ProcessSpec): Promise<Server> {
  return launch({
    name,
    command: [process.execPath, file],
    cwd: topFolder,
    env: childVariables(env),
    stopSignal: "SIGTERM",
    isReady,
    onSpawn: (pid) => recordChild(env, name, pid),
  });
}

/** Runs a script of this project and waits for its end. Throws if it fails. */
async function runScript({ env }: Start, file: string): Promise<void> {
  const child = Bun.spawn([process.execPath, file], {
    cwd: topFolder,
    env: childVariables(env),
    stdin: "ignore",
    stdout: "inherit",
    stderr: "inherit",
  });
  if ((await child.exited) !== 0) throw new Error(`${file} failed; see its output above.`);
}

/** The environment of the child processes: the same settings, whatever the current folder is. */
function childVariables(env: Env): Record<string, string> {
  return { ...ownVariables(), DATA_DIR: env.dataDir, PORT: String(env.port) };
}

async function isReadyToServe({ host, port }: Env): Promise<boolean> {
  const address = ["0.0.0.0", "::"].includes(host) ? "localhost" : host;
  const hostname = address.includes(":") ? `[${address}]` : address;
  try {
    const answer = await fetch(`http://${hostname}:${port}/ready`, {
      signal: AbortSignal.timeout(READY_TIMEOUT_MS),
    });
    return answer.ok;
  } catch {
    return false;
  }
}
