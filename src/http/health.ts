import { Elysia } from "elysia";
import { readDatabaseState } from "#db/migrate.ts";
import type { Deps } from "#src/base/deps.ts";
import { lockCounts } from "#src/base/lock-counts.ts";

/** A part that has not replied by then counts as away. */
const REPLY_TIMEOUT_MS = 2_000;
const RETRY_AFTER_S = 2;

type Part = "database" | "redis" | "migrations";

/**
 * GET /up: the process is alive; pages set their clocks by the time in the answer. GET /ready: this process and everything
 * it needs can serve requests; otherwise 503 with the parts that cannot. It also reports the lock counts of this process.
 */
export function healthRoutes(deps: Deps) {
  return new Elysia({ name: "health" })
    .get("/up", () => ({ up: true, serverTime: new Date().toISOString() }))
    .get("/ready", async () => {
      const parts = await checkParts(deps);
      const ready = Object.values(parts).every((word) => word === "ok");
      const headers = ready ? {} : { "retry-after": String(RETRY_AFTER_S) };
      return Response.json(
        { ready, parts, locks: lockCounts(deps.redis) },
        { status: ready ? 200 : 503, headers },
      );
    });
}

/** The state of each part: "ok", "away", or for migrations "pending". */
async function checkParts({ pool, redis, log }: Deps): Promise<Record<Part, string>> {
  const checked = async (part: Part, work: () => Promise<string>): Promise<string> => {
    try {
      return await Promise.race([work(), Bun.sleep(REPLY_TIMEOUT_MS).then(() => "away")]);
    } catch (error) {
      log.debug({ err: error, part }, "a part is not ready");
      return "away";
    }
  };
  const [database, redisWord, migrations] = await Promise.all([
    checked("database", async () => {
      await pool.sql`SELECT 1`;
      return "ok";
    }),
    checked("redis", async () => {
      await redis.ping();
      return "ok";
    }),
    checked("migrations", async () => {
      const { pendingMigrations, sql } = await readDatabaseState(pool.db);
      // A newer release may have changed the database. This process keeps serving until it is replaced.
      return pendingMigrations.length === 0 && sql !== "pending" ? "ok" : "pending";
    }),
  ]);
  return { database, redis: redisWord, migrations };
}
