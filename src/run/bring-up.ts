import { readFileSync } from "node:fs";
import { type NetworkInterfaceInfo, networkInterfaces } from "node:os";
import path from "node:path";
import type { Logger } from "pino";
import { PROCESS_CONNECTIONS_MAX } from "#db/client.ts";
import { type DataFolder, dataFolderOf } from "#db/embedded/data-folder.ts";
import { startPostgres } from "#db/embedded/postgres.ts";
import { startRedis } from "#db/embedded/redis.ts";
import { launch, type LaunchOptions, type Server } from "#db/embedded/server.ts";
import { migrate } from "#db/upgrade/migrate.ts";
import { HANDOVER_SIGNAL } from "#src/http/draining.ts";
import { type Env, ownVariables, readEnv } from "#src/settings/env.ts";
import { isLocal } from "#src/settings/refuse-unsafe.ts";
import { endLeftoverChildren, recordChild, StartRefused } from "./claim-data-dir.ts";
import { keepRunning, type Supervised } from "./keep-running.ts";

/** For the operator of a machine on which web processes are restarted one after the other. */
const MIGRATE_REQUESTS =
  "Warning: connections that arrive while a web process closes its port may be reset. Set net.ipv4.tcp_migrate_req=1 (Linux): " +
  "then they go to the other processes on the port. deploy/machines.md says how.";

export type Start = {
  env: Env;
  log: Logger;
  say: (line: string) => void;
  /** The running processes, in layers. Each layer needs the one before it, and is stopped before it. */
  running: Supervised[][];
};

const topFolder = path.join(import.meta.dir, "../..");
const READY_TIMEOUT_MS = 1_000;
const WORKER = "worker";

/**
 * The settings of Bun's allocator for a process that serves, as environment variables: they are read before any of our code runs.
 * Freed memory goes back to the system after 10 s (milliseconds here), because the next page needs it again. With mimalloc's
 * default a page takes a tenth more CPU time. The Dockerfile, the units of systemd and package.json set the same. See
 * `purge_delay` in mimalloc's documentation.
 */
export const allocatorVariables = { MIMALLOC_PURGE_DELAY: "10000" };

/** A process that is replaced, and scripts beside all of them. */
const SPARE_CONNECTIONS = 60;

/** Starts everything in order, printing each step. Returns when the web process is ready to serve. */
export async function bringUp(start: Start): Promise<void> {
  const { env } = start;
  const step = createStepPrinter(start);
  await endLeftoverChildren(env);

  step("Build the pages, if they have changed");
  const building = runScript(start, "client/build/build.ts");
  await Promise.all([building, prepareDatabase(start, step)]);
  const webs = env.webConcurrency === 1 ? "the web" : `${env.webConcurrency} web processes`;
  step(`Start ${webs} and the worker process`);
  // Checked again: another program may have taken the port meanwhile.
  choosePort(env);
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

/**
 * Takes a new release, or new settings of the machine, without an interruption: builds the pages, migrates the database, and
 * replaces the web processes and the worker one after the other, each when its successor is ready. If a step fails, everything
 * that has not been replaced keeps running as it is.
 */
export async function restartInTurn(start: Start): Promise<void> {
  try {
    start.say("Restart the web and worker processes, one after the other");
    if (resetsArrivingConnections()) start.say(MIGRATE_REQUESTS);
    await runScript(start, "client/build/build.ts");
    await runScript(start, "src/run/migrate.ts");
    for (const part of start.running.at(-1) ?? []) {
      await part.replace(part.name === WORKER ? "SIGTERM" : HANDOVER_SIGNAL);
      start.say(`      ${part.name} is restarted`);
    }
    start.say("Restarted");
  } catch (error) {
    start.say(error instanceof Error ? error.message : String(error));
  }
}

async function prepareDatabase(start: Start, step: (what: string) => void): Promise<void> {
  const { env } = start;
  step(`Start ${listServers(env)}`);
  await startServers(start);
  step("Migrate the database");
  await migrate(env.ownerDatabaseUrl, env);
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
    env.embedded.database &&
      add("Postgres", () =>
        startPostgres(dataFolder, { durable: true, connectionsMax: connectionsFor(env) }),
      ),
    env.embedded.redis &&
      add("Redis", () => startRedis(dataFolder, { prompt: true, print: (line) => say(`      ${line}`) })),
  ]);
}

async function startProcesses(start: Start): Promise<void> {
  const layer: Supervised[] = [];
  start.running.push(layer);
  const add = async (spec: ProcessSpec) => {
    layer.push(await keepRunning(spec.name, () => startProcess(start, spec), start.log));
  };
  const webs = webNames(start.env).map((name) => ({
    name,
    command: ["src/main.ts", name],
    // Another web process may answer for it, so it also announces itself.
    announcesReady: true as const,
    isReady: () => isReadyToServe(start.env),
  }));
  const worker = {
    name: WORKER,
    command: ["jobs/main.ts"],
    isReady: () => true,
  };
  await Promise.all([...webs, worker].map(add));
}

/** `web` alone; `web-1`, `web-2`, ... if there are several. */
function webNames({ webConcurrency }: Env): string[] {
  return webConcurrency === 1
    ? ["web"]
    : Array.from({ length: webConcurrency }, (_, index) => `web-${index + 1}`);
}

type ProcessSpec = Pick<LaunchOptions, "name" | "command" | "isReady" | "announcesReady">;

function startProcess({ env }: Start, spec: ProcessSpec): Promise<Server> {
  return launch({
    ...spec,
    command: [process.execPath, ...spec.command],
    cwd: topFolder,
    env: childVariables(env),
    stopSignal: "SIGTERM",
    drainMs: env.drainMs,
    onSpawn: (pid) => recordChild(env, spec.name, pid),
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
  return { ...allocatorVariables, ...ownVariables(), DATA_DIR: env.dataDir, PORT: String(env.port) };
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

/** True if the kernel resets the connections that wait in the queue of a port when one of several processes closes it. */
function resetsArrivingConnections(): boolean {
  try {
    return readFileSync("/proc/sys/net/ipv4/tcp_migrate_req", "utf8").trim() === "0";
  } catch {
    return false;
  }
}

/** What the embedded Postgres must take: the connections of the web processes and of the worker, and spare ones. */
export function connectionsFor({ webConcurrency }: Pick<Env, "webConcurrency">): number {
  return (webConcurrency + 1) * PROCESS_CONNECTIONS_MAX + SPARE_CONNECTIONS;
}

/**
 * Checks that the port is free. Web processes that share a port would otherwise also share it with another program, silently.
 * @returns the settings with the port; PORT=0 chooses any free port.
 * @throws StartRefused if another program listens on the port.
 */
export function choosePort(env: Env): Env {
  try {
    const probe = Bun.listen({ hostname: env.host, port: env.port, socket: { data: () => undefined } });
    const { port } = probe;
    probe.stop(true);
    return port === env.port ? env : readEnv({ ...ownVariables(), PORT: String(port) });
  } catch {
    throw new StartRefused(
      `${env.host}:${env.port} is taken. Choose another port, such as PORT=${env.port + 1}.`,
    );
  }
}

/**
 * How phones in the same room reach a start that only its own computer can open: lines of the welcome. None for a start that others
 * reach already, and on a computer without a network.
 */
export function hintForPhones(
  { production, host, publicUrl, port }: Pick<Env, "production" | "host" | "publicUrl" | "port">,
  interfaces: NodeJS.Dict<NetworkInterfaceInfo[]> = networkInterfaces(),
): string[] {
  const address = Object.values(interfaces)
    .flatMap((addresses) => addresses ?? [])
    .find(({ family, internal }) => family === "IPv4" && !internal)?.address;
  if (production || !isLocal(host) || !isLocal(new URL(publicUrl).hostname) || address === undefined)
    return [];
  return [
    "",
    "Only this computer can open it. For phones in a network of people whom you trust, stop it and start it with",
    `  HOST=0.0.0.0 PUBLIC_URL=http://${address}:${port} NODE_ENV=development`,
  ];
}
