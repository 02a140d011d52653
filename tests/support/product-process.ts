import { chmodSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { identityOf, parentOf } from "#db/embedded/processes.ts";
import { startWatchdog } from "#db/embedded/server.ts";
import { ownVariables } from "#src/settings/env.ts";

const TOP = path.join(import.meta.dir, "../..");
const PRINTED_CHARACTERS_MAX = 100_000;

/** The whole product as `bun run start` runs it, in a separate process. */
export type ProductProcess = {
  /** Its address, once it is open. Rejects with its output if the process ends before. */
  url: Promise<string>;
  pid: number;
  /** Its output so far. */
  printed: () => string;
  exited: Promise<number>;
  kill: (signal: NodeJS.Signals) => void;
};

/** Creates a data folder that the servers can enter also when root starts them. It is removed with this process at the latest. */
export function makeDataFolder(): { dataDir: string; remove: () => void } {
  const dataDir = mkdtempSync(path.join(tmpdir(), "called-it-start-"));
  chmodSync(dataDir, 0o711);
  const watchdog = startWatchdog(["/bin/sh", "-c", 'sleep 2; rm -rf -- "$0"', dataDir]);
  return {
    dataDir,
    remove: () => {
      watchdog.release();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/**
 * Starts the product on a free port. It is stopped when this process ends.
 * @param variables environment variables that differ from `defaultSettings`.
 */
export function startProduct(dataDir: string, variables: Record<string, string> = {}): ProductProcess {
  const child = Bun.spawn([process.execPath, "src/run/start.ts"], {
    cwd: TOP,
    env: { ...ownVariables(), ...defaultSettings, DATA_DIR: dataDir, ...variables },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
    detached: true,
  });
  const watchdog = startWatchdog(["kill", "-s", "TERM", String(child.pid)]);
  const printed = { text: "" };
  const opened = Promise.withResolvers<string>();
  const read = (text: string) => {
    printed.text = `${printed.text}${text}`.slice(-PRINTED_CHARACTERS_MAX);
    const url = /open at (\S+)/.exec(printed.text)?.[1];
    if (url !== undefined) opened.resolve(url);
  };
  const drained = [child.stdout, child.stderr].map((stream) =>
    stream.pipeThrough(new TextDecoderStream()).pipeTo(new WritableStream({ write: read })),
  );
  // The pipes stay open while one process of the product holds them. So their end means the end of all its processes.
  void Promise.all(drained).then(() => opened.reject(new Error(`The product ended:\n${printed.text}`)));
  opened.promise.catch(() => undefined);
  return {
    url: opened.promise,
    pid: child.pid,
    printed: () => printed.text,
    exited: child.exited.finally(() => watchdog.release()),
    kill: (signal) => child.kill(signal),
  };
}

/** The running child processes of a process. */
export function childrenOf(pid: number): number[] {
  return everyProcess().filter((candidate) => parentOf(candidate) === pid);
}

/**
 * Remembers which processes have these ids now.
 * @returns lists those that still run. An id that another process has got since then does not count.
 */
export function rememberProcesses(pids: readonly number[]): () => number[] {
  const known = pids.flatMap((pid) => {
    const identity = identityOf(pid);
    return identity === null ? [] : [{ pid, identity }];
  });
  return () => known.flatMap(({ pid, identity }) => (identityOf(pid) === identity ? [pid] : []));
}

// An empty variable means the default, so that variables of the person who runs the tests have no effect.
const defaultSettings = {
  NODE_ENV: "development",
  PORT: "0",
  HOST: "127.0.0.1",
  PUBLIC_URL: "",
  SMTP_URL: "",
  DATABASE_URL: "",
  // On a busy machine a database that works may take seconds to answer.
  DATABASE_SILENT_SECONDS: "60",
  REDIS_URL: "",
  SECRET_KEY: "",
  DEMO: "on",
  RATE_LIMITS: "off",
  LOG_LEVEL: "warn",
  BACKUP_PASSPHRASE: "",
  npm_lifecycle_event: "",
};

function everyProcess(): number[] {
  if (process.platform === "linux")
    return readdirSync("/proc")
      .filter((name) => /^\d+$/.test(name))
      .map(Number);
  const ps = Bun.spawnSync(["ps", "-A", "-o", "pid="]);
  return ps.stdout.toString().trim().split(/\s+/).map(Number);
}
