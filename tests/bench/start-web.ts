import path from "node:path";
import { startWatchdog } from "#db/embedded/watchdog.ts";
import { waitFor } from "#tests/support/wait-for.ts";
import type { BenchDeps } from "./bench-deps.ts";

const ROOT = path.join(import.meta.dir, "../..");
/** As in production. Only calls of one account and pages for guests are limited, far above what the benches do. */
export const PRODUCTION = { NODE_ENV: "production", RATE_LIMITS: "on" };

/** The web processes of one address. */
export type Web = { origin: string; pids: number[]; stop: () => Promise<void> };

/** The environment of a process on the servers of these deps. */
export function variablesOf({ env }: BenchDeps): Record<string, string> {
  return {
    PATH: "/usr/bin:/bin",
    DATA_DIR: env.dataDir,
    DATABASE_URL: env.databaseUrl,
    REDIS_URL: env.redisUrl,
    SECRET_KEY: env.secretKey,
    LOG_LEVEL: "warn",
    DEMO: "off",
    ...PRODUCTION,
  };
}

/** Ends a child with this process at the latest, also after an error in a bench. */
export function endWithThis(child: { pid: number; exited: Promise<number> }): void {
  const watchdog = startWatchdog(["kill", "-s", "TERM", String(child.pid)]);
  void child.exited.finally(() => watchdog.release());
}

/**
 * Starts the web server in production mode on a free port, and waits until it answers.
 * @param processes how many processes share the port.
 */
export async function startWeb(deps: BenchDeps, { processes = 1 } = {}): Promise<Web> {
  const probe = Bun.listen({ hostname: "127.0.0.1", port: 0, socket: { data: () => undefined } });
  const { port } = probe;
  probe.stop(true);
  const shared = processes === 1 ? {} : { WEB_PROCESSES: String(processes) };
  const started = Array.from({ length: processes }, () => {
    const ready = Promise.withResolvers<void>();
    const child = Bun.spawn([process.execPath, "src/main.ts"], {
      cwd: ROOT,
      env: { ...variablesOf(deps), ...shared, PORT: String(port) },
      stdout: "inherit",
      stderr: "inherit",
      ipc: () => ready.resolve(),
      onExit: () => ready.reject(new Error("a web process ended")),
    });
    ready.promise.catch(() => undefined);
    endWithThis(child);
    return { child, ready: ready.promise };
  });
  // One that answers says nothing about the others.
  if (processes > 1) await Promise.all(started.map(({ ready }) => ready));
  const origin = `http://127.0.0.1:${port}`;
  await waitFor(
    "the web server to answer",
    async () => (await fetch(`${origin}/up`).catch(() => null))?.ok ?? false,
  );
  return {
    origin,
    pids: started.map(({ child }) => child.pid),
    stop: async () => {
      for (const { child } of started) {
        child.kill("SIGTERM");
        await child.exited;
      }
    },
  };
}
