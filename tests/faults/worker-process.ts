import path from "node:path";
import type { Deps } from "#src/base/deps.ts";
import { waitFor } from "#tests/support/wait-for.ts";

const ROOT = path.join(import.meta.dir, "../..");

/** A worker in its own process, as in production, on the test's database and Redis. */
export type WorkerProcess = {
  /** Sends SIGKILL. Resolves when the process has ended. */
  kill: () => Promise<void>;
  /** Sends SIGTERM. @returns the exit code. */
  stop: () => Promise<number>;
};

/** Starts a worker and waits until it takes jobs. */
export async function startWorkerProcess({ env }: Deps): Promise<WorkerProcess> {
  const child = Bun.spawn([process.execPath, "jobs/main.ts"], {
    cwd: ROOT,
    env: {
      PATH: "/usr/bin:/bin",
      NODE_ENV: "test",
      DATA_DIR: env.dataDir,
      DATABASE_URL: env.databaseUrl,
      REDIS_URL: env.redisUrl,
      SECRET_KEY: env.secretKey,
      LOG_LEVEL: "info",
      DEMO: "off",
    },
    stdout: "pipe",
    stderr: "inherit",
  });
  let output = "";
  void (async () => {
    for await (const part of child.stdout.pipeThrough(new TextDecoderStream())) output += part;
  })();
  await waitFor("the worker to be ready", () => output.includes("worker is ready"));
  return {
    kill: async () => {
      child.kill("SIGKILL");
      await child.exited;
    },
    stop: () => {
      child.kill("SIGTERM");
      return child.exited;
    },
  };
}
