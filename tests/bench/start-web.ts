import path from "node:path";
import { allocatorVariables } from "#src/run/bring-up.ts";
import { freePort } from "#tests/engines/free-port.ts";
import { waitFor } from "#tests/support/wait-for.ts";
import type { BenchDeps } from "./bench-deps.ts";
import { endWithThis } from "./harness.ts";

const ROOT = path.join(import.meta.dir, "../..");
/** As in production. Only calls of one account and pages for guests are limited, far above what the benches do. */
export const PRODUCTION = { NODE_ENV: "production", RATE_LIMITS: "on", DRAIN_SECONDS: "0" };

/** A web process, and its address. */
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
    ...allocatorVariables,
    ...PRODUCTION,
  };
}

/** A process of the product. `ready`: it listens, or takes jobs. */
export type Process = { pid: number; ready: Promise<void>; stop: () => Promise<void> };

/** Starts a web process on this port. Several share it where `WEB_CONCURRENCY` says so. */
export function startWebProcess(
  deps: BenchDeps,
  port: number,
  variables: Record<string, string> = {},
): Process {
  return startProcess(deps, "src/main.ts", { ...variables, PORT: String(port) });
}

/** @param cwd the top of another release. */
export function startProcess(
  deps: BenchDeps,
  file: string,
  variables: Record<string, string>,
  cwd = ROOT,
): Process {
  const ready = Promise.withResolvers<void>();
  const child = Bun.spawn([process.execPath, file], {
    cwd,
    env: { ...variablesOf(deps), ...variables },
    stdout: "inherit",
    stderr: "inherit",
    ipc: () => ready.resolve(),
    onExit: () => ready.reject(new Error(`${file} ended`)),
  });
  ready.promise.catch(() => undefined);
  endWithThis(child);
  return {
    pid: child.pid,
    ready: ready.promise,
    stop: async () => {
      child.kill("SIGTERM");
      await child.exited;
    },
  };
}

/** Waits until a web process answers. */
export async function untilUp(origin: string): Promise<void> {
  await waitFor(
    "the web server to answer",
    async () => (await fetch(`${origin}/up`).catch(() => null))?.ok ?? false,
  );
}

/**
 * Starts the web server in production mode on a free port, and waits until it answers.
 * @param variables of the environment, besides those of production.
 */
export async function startWeb(deps: BenchDeps, variables: Record<string, string> = {}): Promise<Web> {
  const port = freePort();
  const { pid, stop } = startWebProcess(deps, port, variables);
  const origin = `http://127.0.0.1:${port}`;
  await untilUp(origin);
  return { origin, pids: [pid], stop };
}
