import path from "node:path";
import type { Logger } from "pino";
import { type DataFolder, dataFolderOf } from "#db/embedded/data-folder.ts";
import { startPostgres } from "#db/embedded/postgres.ts";
import { startRedis } from "#db/embedded/redis.ts";
import { launch, type Server } from "#db/embedded/server.ts";
import { migrate } from "#db/migrate.ts";
import { endLeftoverChild, noteChild } from "./claim-data-dir.ts";
import { type Env, ownVariables } from "./env.ts";
import { type Kept, keepRunning } from "./keep-running.ts";

/** What a start needs to know. */
export type Start = {
  env: Env;
  log: Logger;
  /** Tells the person at the terminal what is being done. */
  say: (line: string) => void;
  /** What runs so far, in layers: each needs the one before it and is stopped before it. */
  running: Kept[][];
};

const topFolder = path.join(import.meta.dir, "..");
const ANSWER_WITHIN_MS = 1_000;

/** Starts everything in its order, telling each step, and returns once the page answers. */
export async function bringUp(start: Start): Promise<void> {
  const { env } = start;
  const step = stepTeller(start);
  await Promise.all(["web", "worker"].map((name) => endLeftoverChild(env, name)));

  step("Build the pages, where they have changed");
  const building = runOnce(start, "client/build.ts");
  await Promise.all([building, prepareDatabase(start, step)]);
  step("Open the doors");
  await startProcesses(start);
}

/** Builds the pages anew and starts the web and the worker with the changed files; a build that fails leaves them be. */
export async function takeChanges(start: Start): Promise<void> {
  try {
    await runOnce(start, "client/build.ts");
    for (const part of start.running.at(-1) ?? []) part.restart();
  } catch (error) {
    start.say(error instanceof Error ? error.message : String(error));
  }
}

async function prepareDatabase(start: Start, step: (what: string) => void): Promise<void> {
  const { env } = start;
  step(`Start ${listServers(env)}`);
  await startServers(start);
  step("Bring the database to the newest schema");
  await migrate(env.databaseUrl);
  if (!env.demo) return;
  step("Seed the demo, where it is missing");
  await runOnce(start, "jobs/demo/seed.ts");
}

/** `[2/5] Build the pages` */
function stepTeller({ env, say }: Start): (what: string) => void {
  const steps = env.demo ? 5 : 4;
  let number = 0;
  return (what) => say(`[${++number}/${steps}] ${what}`);
}

function listServers({ embedded, dataDir }: Env): string {
  const names = [...(embedded.database ? ["Postgres"] : []), ...(embedded.redis ? ["Redis"] : [])];
  return names.length === 0
    ? "nothing: Postgres and Redis are given"
    : `${names.join(" and ")} in ${dataDir}`;
}

async function startServers({ env, log, say, running }: Start): Promise<void> {
  const dataFolder: DataFolder = dataFolderOf(env.dataDir);
  const layer: Kept[] = [];
  running.push(layer);
  const add = async (name: string, start: () => Promise<Server>) => {
    layer.push(await keepRunning(name, start, log));
  };
  await Promise.all([
    env.embedded.database && add("Postgres", () => startPostgres(dataFolder, { durable: true })),
    env.embedded.redis &&
      add("Redis", () => startRedis(dataFolder, { durable: true, say: (line) => say(`      ${line}`) })),
  ]);
}

async function startProcesses(start: Start): Promise<void> {
  const layer: Kept[] = [];
  start.running.push(layer);
  const add = async (name: string, file: string, isReady: () => boolean | Promise<boolean>) => {
    layer.push(await keepRunning(name, () => startProcess(start, { name, file, isReady }), start.log));
  };
  await Promise.all([
    add("web", "src/main.ts", () => answersReady(start.env)),
    add("worker", "jobs/main.ts", () => true),
  ]);
}

type Wanted = { name: string; file: string; isReady: () => boolean | Promise<boolean> };

function startProcess({ env }: Start, { name, file, isReady }: Wanted): Promise<Server> {
  return launch({
    name,
    command: [process.execPath, file],
    cwd: topFolder,
    env: childVariables(env),
    stopSignal: "SIGTERM",
    isReady,
    onSpawn: (pid) => noteChild(env, name, pid),
  });
}

/** Runs one of our own scripts to its end. */
async function runOnce({ env }: Start, file: string): Promise<void> {
  const child = Bun.spawn([process.execPath, file], {
    cwd: topFolder,
    env: childVariables(env),
    stdin: "ignore",
    stdout: "inherit",
    stderr: "inherit",
  });
  if ((await child.exited) !== 0) throw new Error(`${file} did not finish; what it said stands above.`);
}

/** The children read the same settings as we did, wherever we were started from. */
function childVariables(env: Env): Record<string, string> {
  return { ...ownVariables(), DATA_DIR: env.dataDir, PORT: String(env.port) };
}

async function answersReady({ host, port }: Env): Promise<boolean> {
  const address = ["0.0.0.0", "::"].includes(host) ? "localhost" : host;
  const shown = address.includes(":") ? `[${address}]` : address;
  try {
    const answer = await fetch(`http://${shown}:${port}/ready`, {
      signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
    });
    return answer.ok;
  } catch {
    return false;
  }
}
