import { watch } from "node:fs";
import path from "node:path";
import { dataFolderOf, removeSocketFolder } from "#db/embedded/data-folder.ts";
import { refuseOtherFormat } from "#db/embedded/folder-identity.ts";
import { commandOf, parentOf } from "#db/embedded/processes.ts";
import { findOrInstall } from "#db/embedded/programs.ts";
import { redisProgram } from "#db/embedded/redis.ts";
import { DEMO_PASSWORD, demoUsers } from "#db/seeds/users.ts";
import { createLog } from "#src/base/log.ts";
import { type Env, ownVariables, readEnv } from "#src/settings/env.ts";
import { listWarnings } from "#src/settings/refuse-unsafe.ts";
import { bringUp, choosePort, hintForPhones, restartInTurn, type Start, takeChanges } from "./bring-up.ts";
import { claimDataDir } from "./claim-data-dir.ts";
import { describeFailure } from "./command-line.ts";
import type { Supervised } from "./keep-running.ts";

const CHECK_INTERVAL_MS = 500;
const CHAIN_LENGTH_MAX = 6;

// Decision: children run in process groups of their own. Ctrl-C reaches every process of a group at once, and a database that
// stops first would make the web and the worker fail while they finish. So this process alone gets the signal, and stops the
// web and the worker first, then Redis and Postgres.
//
// Decision: SIGUSR2 restarts the web and the worker without an interruption. SIGHUP, which is usual for that, comes when a terminal
// is closed, and ends the start.

/** A second SIGINT within this time is the same Ctrl-C, forwarded by `bun run`. */
const DUPLICATE_SIGNAL_MS = 1_000;

// bun run start: starts everything that Called It needs, and stops it on Ctrl-C.
const startedAt = performance.now();
const running: Supervised[][] = [];
let stopping = false;
let stoppingSince = Number.POSITIVE_INFINITY;

/** Editors write a file in several steps, and a checkout writes many files. */
const DEBOUNCE_MS = 150;

const topFolder = path.join(import.meta.dir, "../..");
const folders = ["client", "src", "jobs", "db"];

try {
  await start();
} catch (error) {
  if (!isStopping()) await giveUp(error);
}

function isStopping(): boolean {
  return stopping;
}

async function start(): Promise<void> {
  const env = choosePort(readEnv());
  if (env.embedded.redis) findOrInstall(redisProgram, print);
  if (env.embedded.database) refuseOtherFormat(env.dataDir);
  const claim = claimDataDir(env);
  process.once("exit", () => {
    removeSocketFolder(dataFolderOf(env.dataDir));
    claim.release();
  });
  for (const signal of ["SIGTERM", "SIGHUP"] as const) process.on(signal, () => void stop());
  process.on("SIGINT", () => void (isSecondCtrlC() ? process.exit(1) : stop()));
  onLauncherGone(() => void stop());
  const state: Start = { env, running, say: print, log: createLog(env, "start") };
  await bringUp(state);
  onRestartSignal(() => restartInTurn(state));
  print(welcome(env));
  for (const warning of listWarnings(env)) print(`${warning}\n`);
  if (process.argv.includes("--watch")) {
    onSourcesChanged((file) => {
      print(`${file} has changed`);
      return takeChanges(state);
    });
  }
}

/** Restarts that are asked for during a restart follow it. */
function onRestartSignal(restart: () => Promise<void>): void {
  let restarting = Promise.resolve();
  process.on("SIGUSR2", () => {
    restarting = restarting.then(restart);
  });
}

/** True for a second Ctrl-C, which exits at once. The terminal and `bun run` may both deliver the first one. */
function isSecondCtrlC(): boolean {
  return performance.now() - stoppingSince > DUPLICATE_SIGNAL_MS;
}

/** Stops all processes, the last started first. */
async function stop(): Promise<void> {
  if (stopping) return;
  stopping = true;
  stoppingSince = performance.now();
  print("Stopping");
  await stopRunning();
  print("Stopped. No process is left running; the data stays in the data folder.");
  process.exit(0);
}

async function stopRunning(): Promise<void> {
  for (const layer of running.toReversed()) await Promise.all(layer.map((part) => part.stop()));
}

async function giveUp(error: unknown): Promise<void> {
  stopping = true;
  process.stderr.write(`\n${describeFailure(error, "The start failed.")}\n`);
  await stopRunning();
  process.exit(1);
}

function welcome(env: Env): string {
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  const signIns = env.demo
    ? ["", `Sign in as one of these, password ${DEMO_PASSWORD}:`, ...demoUsers.map(signIn)]
    : [];
  return [
    "",
    `Called It is open at ${env.publicUrl} (${seconds} s)`,
    ...signIns,
    ...hintForPhones(env),
    "",
    "Ctrl-C stops it.",
    "",
  ].join("\n");
}

function signIn({ email, roles }: { email: string; roles: readonly string[] }): string {
  return `  ${email.padEnd(24)}${roles.length === 0 ? "player" : roles.join(", ")}`;
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

/**
 * Calls back once when the process that launched this one is gone. `npx` forwards a signal to its own child only, so without
 * this, "npx bun run start" would keep running after Ctrl-C. Does nothing unless a package script started this process.
 */
function onLauncherGone(callback: () => void): void {
  const variables = ownVariables();
  if (variables["npm_lifecycle_event"] === undefined) return;
  const throughNpm = variables["npm_config_user_agent"]?.startsWith("npm/") === true;
  const chain = launcherChain(throughNpm ? CHAIN_LENGTH_MAX : 1);
  const timer = setInterval(() => {
    if (chain.every(({ pid, parent }) => parentOf(pid) === parent)) return;
    clearInterval(timer);
    callback();
  }, CHECK_INTERVAL_MS);
  timer.unref();
}

/** The ancestors of this process up to npm; only the script runner if npm is not among them. */
function launcherChain(linksMax: number): { pid: number; parent: number }[] {
  const chain: { pid: number; parent: number }[] = [];
  let pid = process.pid;
  while (chain.length < linksMax) {
    const parent = parentOf(pid);
    if (parent === null || parent <= 1) break;
    chain.push({ pid, parent });
    if (/\bnp[mx]\b/.test(commandOf(parent) ?? "")) return chain;
    pid = parent;
  }
  return chain.slice(0, 1);
}

/**
 * Calls back after source files have changed, once no file has changed for a moment. Calls run one at a time.
 * @param restart gets the file that changed last.
 */
function onSourcesChanged(restart: (file: string) => Promise<void>): void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let running = Promise.resolve();
  const changed = (file: string) => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      running = running.then(() => restart(file));
    }, DEBOUNCE_MS);
  };
  for (const folder of folders) {
    watch(path.join(topFolder, folder), { recursive: true }, (_event, name) => {
      if (name !== null && /\.(tsx?|css|sql)$/.test(name)) changed(path.join(folder, name));
    });
  }
}
