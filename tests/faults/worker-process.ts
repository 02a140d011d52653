import path from "node:path";
import type { Deps } from "#src/base/deps.ts";
import { PROCESS_STARTS_WITHIN_MS, waitFor } from "#tests/support/wait-for.ts";

const ROOT = path.join(import.meta.dir, "../..");

/** A process of the product on the test's database and Redis. */
export type PartProcess = {
  pid: number;
  /** Its log so far. */
  printed: () => string;
  /** Sends SIGKILL. Resolves when the process has ended. */
  kill: () => Promise<void>;
  /** Sends a signal, SIGTERM by default. @returns the exit code. */
  stop: (signal?: "SIGTERM" | "SIGINT" | "SIGUSR2") => Promise<number>;
};
export type WorkerProcess = PartProcess;
export type WebProcess = PartProcess & { origin: string };

/** A file of this folder that the process loads before the program, and settings that differ from the test's defaults. */
type Preload = { preload?: "clock-ahead.ts" | "clock-behind.ts"; variables?: Record<string, string> };

/** Starts a worker in its own process, as in production, and waits until it takes jobs. */
export function startWorkerProcess(deps: Deps, preload: Preload = {}): Promise<WorkerProcess> {
  return startPart(deps, { program: "jobs/main.ts", ready: "worker is ready", port: "0", ...preload });
}

/** Starts a web process, and waits until it answers. @returns also its address. */
export async function startWebProcess(deps: Deps, preload: Preload = {}): Promise<WebProcess> {
  const free = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => new Response() });
  const port = String(free.port);
  await free.stop(true);
  const part = await startPart(deps, { program: "src/main.ts", ready: "listening", port, ...preload });
  return { ...part, origin: `http://127.0.0.1:${port}` };
}

type Part = Preload & { program: string; ready: string; port: string };

async function startPart(
  { env }: Deps,
  { program, ready, port, preload, variables }: Part,
): Promise<PartProcess> {
  const before = preload === undefined ? [] : ["--preload", path.join(import.meta.dir, preload)];
  const child = Bun.spawn([process.execPath, ...before, program], {
    cwd: ROOT,
    env: {
      PATH: "/usr/bin:/bin",
      NODE_ENV: "test",
      PORT: port,
      DATA_DIR: env.dataDir,
      DATABASE_URL: env.databaseUrl,
      DATABASE_SILENT_SECONDS: String(env.databaseSilentMs / 1_000),
      REDIS_URL: env.redisUrl,
      SECRET_KEY: env.secretKey,
      LOG_LEVEL: "info",
      RATE_LIMITS: env.rateLimits ? "on" : "off",
      DEMO: "off",
      ...variables,
    },
    stdout: "pipe",
    stderr: "inherit",
  });
  let output = "";
  void (async () => {
    for await (const part of child.stdout.pipeThrough(new TextDecoderStream())) output += part;
  })();
  try {
    await waitFor(`${program} to be ready`, () => output.includes(ready), {
      withinMs: PROCESS_STARTS_WITHIN_MS,
    });
  } catch (error) {
    child.kill("SIGKILL");
    throw error;
  }
  return {
    pid: child.pid,
    printed: () => output,
    kill: async () => {
      child.kill("SIGKILL");
      await child.exited;
    },
    stop: (signal = "SIGTERM") => {
      child.kill(signal);
      return child.exited;
    },
  };
}
