import { Elysia } from "elysia";
import { readDatabaseState } from "#db/migrate.ts";
import type { Deps } from "#src/deps.ts";
import { lockCounts } from "#src/lock-counts.ts";

/** A part that has not answered by then counts as away. */
const ANSWER_WITHIN_MS = 2_000;
const RETRY_AFTER_S = 2;

type Part = "database" | "redis" | "migrations";

/** GET /up: the process is alive, and its time, by which pages set their clocks. GET /ready: it and all it needs can serve; 503 names the parts that cannot. It also says how the locks of this process have fared. */
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

/** What each part says of itself: "ok", "away", or for migrations "pending". */
async function checkParts({ pool, redis, log }: Deps): Promise<Record<Part, string>> {
  const checked = async (part: Part, work: () => Promise<string>): Promise<string> => {
    try {
      return await Promise.race([work(), Bun.sleep(ANSWER_WITHIN_MS).then(() => "away")]);
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
      // A newer release may have changed the database while this process serves: it goes on until it is replaced.
      return pendingMigrations.length === 0 && sql !== "pending" ? "ok" : "pending";
    }),
  ]);
  return { database, redis: redisWord, migrations };
}
