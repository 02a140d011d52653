import path from "node:path";
import type { Deps } from "#src/base/deps.ts";
import { PROCESS_STARTS_WITHIN_MS, waitFor } from "#tests/support/wait-for.ts";

const ROOT = path.join(import.meta.dir, "../..");

/** The web server in a process of its own, as in production, on the test's database and Redis. */
export type WebProcess = {
  origin: string;
  /** Sends the signal, SIGTERM by default, and returns the exit code. */
  stop: (signal?: "SIGTERM" | "SIGINT" | "SIGUSR2") => Promise<number>;
  kill: () => Promise<void>;
};

/**
 * Starts the web server on a free port and waits until it listens.
 * @param variables environment variables that differ from the test's defaults.
 */
export async function startWebProcess(
  { env }: Deps,
  variables: Record<string, string> = {},
): Promise<WebProcess> {
  const probe = Bun.listen({ hostname: "127.0.0.1", port: 0, socket: { data: () => undefined } });
  const { port } = probe;
  probe.stop(true);
  const child = Bun.spawn([process.execPath, "src/main.ts"], {
    cwd: ROOT,
    env: {
      PATH: "/usr/bin:/bin",
      NODE_ENV: "test",
      PORT: String(port),
      DATA_DIR: env.dataDir,
      DATABASE_URL: env.databaseUrl,
      DATABASE_SILENT_SECONDS: String(env.databaseSilentMs / 1_000),
      REDIS_URL: env.redisUrl,
      SECRET_KEY: env.secretKey,
      LOG_LEVEL: "warn",
      RATE_LIMITS: env.rateLimits ? "on" : "off",
      DEMO: "off",
      ...variables,
    },
    stdout: "inherit",
    stderr: "inherit",
  });
  const origin = `http://127.0.0.1:${port}`;
  await waitFor(
    "the web server to answer",
    async () => {
      const response = await fetch(`${origin}/up`).catch(() => null);
      return response?.ok ?? false;
    },
    { withinMs: PROCESS_STARTS_WITHIN_MS },
  );
  return {
    origin,
    stop: (signal = "SIGTERM") => {
      child.kill(signal);
      return child.exited;
    },
    kill: async () => {
      child.kill("SIGKILL");
      await child.exited;
    },
  };
}
