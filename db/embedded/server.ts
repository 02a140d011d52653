import { closeSync, openSync, readFileSync } from "node:fs";
import { until } from "./processes.ts";
import { afterDeath } from "./warden.ts";

const START_WITHIN_MS = 30_000;
/** A little more than a process needs to finish its work. */
const STOP_WITHIN_MS = 12_000;
const LOG_TAIL_LINES = 8;

/** A running child process: a database server, or the web or the worker. */
export type Server = {
  pid: number;
  /** Settles with the exit code when it ends, by itself or by `stop`. */
  exited: Promise<number>;
  /** Ends it and waits; harmless when it has ended. */
  stop: () => Promise<void>;
  /** Kills it at once (SIGKILL); harmless when it has ended. */
  kill: () => void;
};

/** How to start a server, and how to know that it is ready. */
export type Launch = {
  name: string;
  command: string[];
  cwd: string;
  env: Record<string, string>;
  /** The file for its output, emptied at every start; without one it prints to the parent's output. */
  logFile?: string;
  stopSignal: NodeJS.Signals;
  /** Postgres as root: the user to run as. */
  user?: { uid: number; gid: number } | undefined;
  isReady: (pid: number) => boolean | Promise<boolean>;
  /** Called with the process id before it is ready. */
  onSpawn?: (pid: number) => void;
};

/**
 * Starts a server in its own process group, so that Ctrl-C in the terminal reaches only this process, and waits until it is
 * ready. It ends with this process, however that ends.
 * @throws with the last lines of its log if it does not become ready.
 */
export async function launch(wanted: Launch): Promise<Server> {
  const child = spawn(wanted);
  wanted.onSpawn?.(child.pid);
  const warden = afterDeath(["kill", "-s", wanted.stopSignal.slice(3), String(child.pid)]);
  const exited = child.exited.finally(() => warden.release());
  const server = {
    pid: child.pid,
    exited,
    stop: () => stop(child, wanted.stopSignal),
    kill: () => child.kill("SIGKILL"),
  };

  const settled = await until(
    async () => hasEnded(child) || (await wanted.isReady(child.pid)),
    START_WITHIN_MS,
  );
  if (settled && !hasEnded(child)) return server;
  await server.stop();
  throw new Error(`${wanted.name} did not start.${wanted.logFile === undefined ? "" : tail(wanted.logFile)}`);
}

function spawn({ command, cwd, env, user, logFile }: Launch): Bun.Subprocess {
  const log = logFile === undefined ? null : openSync(logFile, "w");
  const output = log ?? "inherit";
  const child = Bun.spawn(command, {
    cwd,
    env,
    stdin: "ignore",
    stdout: output,
    stderr: output,
    // A group of its own: Ctrl-C in the terminal reaches this process, which stops it in the right order.
    detached: true,
    ...user,
  });
  if (log !== null) closeSync(log);
  return child;
}

function hasEnded(child: Bun.Subprocess): boolean {
  return child.exitCode !== null || child.signalCode !== null;
}

async function stop(child: Bun.Subprocess, signal: NodeJS.Signals): Promise<void> {
  child.kill(signal);
  const ended = await Promise.race([child.exited.then(() => true), Bun.sleep(STOP_WITHIN_MS)]);
  if (ended === true) return;
  child.kill("SIGKILL");
  await child.exited;
}

function tail(file: string): string {
  const lines = readFileSync(file, "utf8").trimEnd().split("\n");
  return ` The end of ${file}:\n${lines.slice(-LOG_TAIL_LINES).join("\n")}`;
}
