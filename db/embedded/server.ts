import { closeSync, openSync, readFileSync } from "node:fs";
import { until } from "./processes.ts";
import { afterDeath } from "./warden.ts";

const START_WITHIN_MS = 30_000;
const STOP_WITHIN_MS = 10_000;
const LOG_TAIL_LINES = 8;

/** A running child process: a database server, or one of our own. */
export type Server = {
  pid: number;
  /** Settles with the exit code when it ends, by itself or by `stop`. */
  exited: Promise<number>;
  /** Ends it and waits; harmless when it has ended. */
  stop: () => Promise<void>;
};

/** How to start a server and how to know that it is there. */
export type Launch = {
  name: string;
  command: string[];
  cwd: string;
  env: Record<string, string>;
  /** The file that gets what it prints; it is begun anew at every start. */
  logFile: string;
  stopSignal: NodeJS.Signals;
  /** Postgres as root: the user to run as. */
  user?: { uid: number; gid: number } | undefined;
  isReady: (pid: number) => boolean | Promise<boolean>;
};

/**
 * Starts a server in its own process group, so that Ctrl-C in the terminal does not reach it before us, and waits until it
 * is ready. It ends with this process, however that ends.
 * @throws with the last lines of its log if it does not become ready.
 */
export async function launch(wanted: Launch): Promise<Server> {
  const log = openSync(wanted.logFile, "w");
  const child = Bun.spawn(wanted.command, {
    cwd: wanted.cwd,
    env: wanted.env,
    stdin: "ignore",
    stdout: log,
    stderr: log,
    detached: true,
    ...wanted.user,
  });
  closeSync(log);
  const warden = afterDeath(["kill", "-s", wanted.stopSignal.slice(3), String(child.pid)]);
  const exited = child.exited.finally(() => warden.release());
  const server = { pid: child.pid, exited, stop: () => stop(child, wanted.stopSignal) };

  const ready = await until(
    async () => child.exitCode !== null || child.signalCode !== null || (await wanted.isReady(child.pid)),
    START_WITHIN_MS,
  );
  if (ready && child.exitCode === null && child.signalCode === null) return server;
  await server.stop();
  throw new Error(`${wanted.name} did not start. The end of ${wanted.logFile}:\n${tail(wanted.logFile)}`);
}

async function stop(child: Bun.Subprocess, signal: NodeJS.Signals): Promise<void> {
  child.kill(signal);
  const ended = await Promise.race([child.exited.then(() => true), Bun.sleep(STOP_WITHIN_MS)]);
  if (ended === true) return;
  child.kill("SIGKILL");
  await child.exited;
}

function tail(file: string): string {
  return readFileSync(file, "utf8").trimEnd().split("\n").slice(-LOG_TAIL_LINES).join("\n");
}
