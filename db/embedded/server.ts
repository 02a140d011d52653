import { closeSync, openSync, readFileSync } from "node:fs";
import { ticksOf } from "./processes.ts";

/** A child that has hardly used a processor for so long does not start any more: it is frozen, or waits for something. */
const STILL_MAX_MS = 30_000;
/** A child that works all the time and is not ready by then never will be. */
const START_MAX_MS = 600_000;
const POLL_MS = 10;
const LOOK_EVERY_MS = 1_000;
/** What counts as work, in ticks of the system's clock (10 ms): more than timers use that find nothing to do. */
const WORK_TICKS_MIN = 5;
/** A little longer than a process needs to finish its work, unless its options say more. */
const STOP_WITHIN_MS = 12_000;
const LOG_TAIL_LINES = 8;
const PRIVATE_FILE = 0o600;
/** The umask of each server: files with this, folders with 0700. Redis would leave its files open to other users. */
const CLOSED_TO_OTHERS = 0o077;

/** A running child process: a database server, the web process or the worker process. */
export type Server = {
  pid: number;
  /** Resolves with the exit code when the process ends, by itself or by `stop`. */
  exited: Promise<number>;
  /** Stops it, with its own signal or another one, and waits for its end; does nothing if it has ended. */
  stop: (signal?: NodeJS.Signals) => Promise<void>;
  /** Kills it (SIGKILL); does nothing if it has ended. */
  kill: () => void;
};

/** How to start a server, and how to check that it is ready. */
export type LaunchOptions = {
  name: string;
  command: string[];
  cwd: string;
  env: Record<string, string>;
  /** The file for its output, emptied at every start. Without one it writes to the parent's output. */
  logFile?: string;
  stopSignal: NodeJS.Signals;
  /** How long it works on after that, in milliseconds, before it begins to stop. */
  drainMs?: number;
  /** The user to run as, where root starts Postgres. */
  user?: { uid: number; gid: number } | undefined;
  isReady: (pid: number) => boolean | Promise<boolean>;
  /** True if the program sends the message "ready" to its parent first: isReady is asked only after it. */
  announcesReady?: true;
  /** After how long without work a start has failed, in milliseconds. */
  stillMaxMs?: number;
  /** Called with the process id before it is ready. */
  onSpawn?: (pid: number) => void;
};

/**
 * Starts a server as a child process and waits until it is ready, for as long as it works: a slow machine is no failure. A watchdog
 * stops it when this process ends, also after `kill -9`.
 *
 * Each child has its own process group. Ctrl-C in a terminal signals every process of a group at once, and a database that
 * stops first makes the web and the worker fail while they finish. So only this process receives the signal, and it stops the
 * children in the right order.
 * @throws with the last lines of its log if it ends, or stands still, before it is ready.
 */
export async function launch(options: LaunchOptions): Promise<Server> {
  let announced = options.announcesReady !== true;
  const child = spawn(options, () => {
    announced = true;
  });
  options.onSpawn?.(child.pid);
  const watchdog = startWatchdog(["kill", "-s", options.stopSignal.slice(3), String(child.pid)]);
  const exited = child.exited.finally(() => watchdog.release());
  const server = {
    pid: child.pid,
    exited,
    stop: (signal = options.stopSignal) => stop(child, signal, STOP_WITHIN_MS + (options.drainMs ?? 0)),
    kill: () => child.kill("SIGKILL"),
  };

  const failure = await untilReady(child, {
    isReady: async () => announced && (await options.isReady(child.pid)),
    stillMaxMs: options.stillMaxMs ?? STILL_MAX_MS,
  });
  if (failure === null) return server;
  await server.stop();
  throw new Error(
    `${options.name} did not start: ${failure}.${options.logFile === undefined ? "" : tail(options.logFile)}`,
  );
}

/** Waits until a child is ready. @returns null, or why it will not be. */
async function untilReady(
  child: Bun.Subprocess,
  { isReady, stillMaxMs }: { isReady: () => Promise<boolean>; stillMaxMs: number },
): Promise<string | null> {
  const startedAtMs = performance.now();
  let [lookedAtMs, workedAtMs, ticks] = [startedAtMs, startedAtMs, 0];
  for (;;) {
    if (hasEnded(child)) return `it has ended with ${child.signalCode ?? `code ${child.exitCode}`}`;
    if ((await isReady()) && !hasEnded(child)) return null;
    const nowMs = performance.now();
    if (nowMs - lookedAtMs > LOOK_EVERY_MS) {
      lookedAtMs = nowMs;
      const used = ticksOf(child.pid);
      if (used === null || used - ticks >= WORK_TICKS_MIN) [workedAtMs, ticks] = [nowMs, used ?? 0];
    }
    if (nowMs - workedAtMs > stillMaxMs) return `it has done nothing for ${Math.round(stillMaxMs / 1_000)} s`;
    if (nowMs - startedAtMs > START_MAX_MS) return `it was not ready after ${START_MAX_MS / 60_000} minutes`;
    await Bun.sleep(POLL_MS);
  }
}

function spawn(
  { command, cwd, env, user, logFile, announcesReady }: LaunchOptions,
  onReady: () => void,
): Bun.Subprocess {
  const log = logFile === undefined ? null : openSync(logFile, "w", PRIVATE_FILE);
  const output = log ?? "inherit";
  // The child takes it over.
  const before = process.umask(CLOSED_TO_OTHERS);
  try {
    return Bun.spawn(command, {
      cwd,
      env,
      stdin: "ignore",
      stdout: output,
      stderr: output,
      // Its own process group, see launch().
      detached: true,
      ...(announcesReady === true && { ipc: (message: unknown) => message === "ready" && onReady() }),
      ...user,
    });
  } finally {
    process.umask(before);
    if (log !== null) closeSync(log);
  }
}

function hasEnded(child: Bun.Subprocess): boolean {
  return child.exitCode !== null || child.signalCode !== null;
}

async function stop(child: Bun.Subprocess, signal: NodeJS.Signals, withinMs: number): Promise<void> {
  child.kill(signal);
  const ended = await Promise.race([child.exited.then(() => true), Bun.sleep(withinMs)]);
  if (ended === true) return;
  child.kill("SIGKILL");
  await child.exited;
}

function tail(file: string): string {
  const lines = readFileSync(file, "utf8").trimEnd().split("\n");
  return ` The end of ${file}:\n${lines.slice(-LOG_TAIL_LINES).join("\n")}`;
}

/** Runs a command when this process ends; `release` cancels that. */
type Watchdog = { release: () => void };

/**
 * Starts a watchdog: a small shell that runs a command when this process has ended in any way, also after SIGKILL. It waits for
 * the end of a pipe that only this process holds open.
 * @param command a program or a shell builtin, and its arguments.
 */
export function startWatchdog(command: string[]): Watchdog {
  const shell = Bun.spawn(["/bin/sh", "-c", 'read -r _; "$@"', "sh", ...command], {
    stdin: "pipe",
    stdout: "ignore",
    stderr: "ignore",
    detached: true,
    cwd: "/",
  });
  shell.unref();
  return { release: () => shell.kill("SIGKILL") };
}
