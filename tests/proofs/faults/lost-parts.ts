import { sql } from "drizzle-orm";
import type { DatabasePool } from "#db/client.ts";
import type { Deps } from "#src/base/deps.ts";
import { startPostgresEngine } from "#tests/engines/postgres.ts";
import { type PartProcess, startWebProcess, startWorkerProcess } from "#tests/faults/worker-process.ts";
import { engineDeps } from "#tests/proofs/engines/engine-deps.ts";
import { startPgBouncer } from "#tests/proofs/engines/pgbouncer.ts";
import { afterFile } from "#tests/support/after-file.ts";
import {
  createSilentPort,
  createSilentProxy,
  type SilentPort,
  type SilentProxy,
} from "#tests/support/silent-proxy.ts";

/** A process that reaches the database and Redis through proxies of its own. */
export type Part = PartProcess & { name: "web" | "worker"; database: SilentPort; redis: SilentProxy };
/** A web process and a worker that may be lost, and a web process that stays. */
type Product = { deps: Deps; web: PartProcess & { origin: string }; victims: Part[]; victimOrigin: string };

/** Starts them on a Postgres of one's own, `isPooled`: behind a PgBouncer. */
export async function startSetup(isPooled: boolean): Promise<Product> {
  const postgres = await startPostgresEngine();
  afterFile(() => postgres.remove());
  const bouncer = isPooled ? await startPgBouncer(postgres, { poolSize: 20 }) : null;
  if (bouncer !== null) afterFile(() => bouncer.stop());
  const { url, port } = bouncer ?? postgres;
  const deps = await engineDeps(postgres);
  const over = async (name: Part["name"]) => {
    const database = await createSilentPort(port);
    const redis = await createSilentProxy(deps.env.redisUrl.slice("unix:".length));
    const variables = {
      DATABASE_URL: url.replace(`:${port}/`, `:${database.port}/`),
      MIGRATE_DATABASE_URL: postgres.ownerUrl,
      REDIS_URL: `unix:${redis.socket}`,
      DATABASE_SILENT_SECONDS: "3",
    };
    const part =
      name === "web"
        ? await startWebProcess(deps, { variables })
        : await startWorkerProcess(deps, { variables });
    afterFile(async () => {
      process.kill(part.pid, "SIGCONT");
      await part.kill();
    });
    return { ...part, name, database, redis };
  };
  const web = await startWebProcess(deps, {
    variables: { DATABASE_URL: url, MIGRATE_DATABASE_URL: postgres.ownerUrl },
  });
  afterFile(() => web.kill());
  const [victim, worker] = [await over("web"), await over("worker")];
  const victimOrigin = "origin" in victim ? String(victim.origin) : "";
  return { deps, web, victims: [victim, worker], victimOrigin };
}

/** Which of these processes has the relay's lock now, by the name of its connection. */
export async function findRelay(pool: DatabasePool, victims: readonly Part[]): Promise<Part | null> {
  const rows = await pool.db
    .execute(sql`SELECT a.application_name AS name FROM pg_locks l JOIN pg_stat_activity a USING (pid)
    WHERE l.locktype = 'advisory' AND l.classid = 7702 AND l.objid = 1 AND l.granted`);
  const name = String(rows[0]?.["name"]);
  return victims.find(({ pid }) => name.includes(` ${pid} `)) ?? null;
}

/** How a process is lost: it is stopped (SIGSTOP), or its packets are dropped and no connection is closed. */
export const losses = ["stopped", "dropped"] as const;

/** Loses a process. @returns gives it back. */
export function lose(part: Part, loss: (typeof losses)[number]): () => void {
  if (loss === "stopped") {
    process.kill(part.pid, "SIGSTOP");
    return () => process.kill(part.pid, "SIGCONT");
  }
  for (const proxy of [part.database, part.redis]) {
    proxy.dropPresent();
    proxy.freeze();
  }
  return () => [part.database, part.redis].forEach((proxy) => proxy.thaw());
}

/** A host who delays events through the process, one after the other, and does not wait for answers that do not come. */
export function keepHosting(
  origin: string,
  by: Record<string, string>,
  eventIds: readonly number[],
): () => void {
  let running = true;
  const isRunning = () => running;
  void (async () => {
    for (let round = 0; isRunning(); round += 1) {
      const path = `/api/v1/events/${eventIds[round % eventIds.length]}/delay`;
      const body = JSON.stringify({ event: { seconds: round % 2 === 0 ? 30 : -30 } });
      const headers = { ...by, origin, "content-type": "application/json" };
      await fetch(`${origin}${path}`, { method: "PUT", headers, body, signal: AbortSignal.timeout(2_000) })
        .then((answer) => answer.body?.cancel())
        .catch(() => undefined);
    }
  })();
  return () => {
    running = false;
  };
}
