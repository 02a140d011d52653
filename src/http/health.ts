import { Elysia } from "elysia";
import { readDatabaseState } from "#db/migrate.ts";
import { ownsTables } from "#db/roles/owns-tables.ts";
import type { Deps } from "#src/base/deps.ts";
import { isDiskFull, storedFolders } from "#src/base/disk-space.ts";
import { lockCounts } from "#src/base/lock-counts.ts";
import { pingRedis } from "#src/base/redis.ts";
import { serverNow } from "#src/base/server-clock.ts";
import type { Draining } from "./draining.ts";

/** A part that has not replied by then counts as away. */
const REPLY_TIMEOUT_MS = 2_000;
const RETRY_AFTER_S = 2;

type Part = "database" | "redis" | "migrations" | "disk";

/**
 * GET /up: the process is alive; pages set their clocks by the time in the answer. GET /ready: this process and everything
 * it needs can serve requests; otherwise 503 with the parts that cannot, or because the process is leaving. It also reports the lock counts of this process, and
 * warnings about the settings, which refuse nothing.
 */
export function healthRoutes(deps: Deps, draining: Draining) {
  return new Elysia({ name: "health" })
    .get("/up", () => ({ up: true, serverTime: serverNow().toISOString() }))
    .get("/ready", async () => {
      const [parts, warnings] = await Promise.all([checkParts(deps), findWarnings(deps)]);
      const isLeaving = draining.ending === "leaving";
      const ready = !isLeaving && Object.values(parts).every((word) => word === "ok");
      const headers = ready ? {} : { "retry-after": String(RETRY_AFTER_S) };
      return Response.json(
        { ready, leaving: isLeaving, parts, warnings, locks: lockCounts(deps.redis) },
        { status: ready ? 200 : 503, headers },
      );
    });
}

/** What works, and should be otherwise. */
async function findWarnings({ pool, replica, log }: Deps): Promise<string[]> {
  const late = replica !== undefined && replica.pool() === null ? [REPLICA_LATE] : [];
  try {
    const isOwner = await Promise.race([ownsTables(pool.db), Bun.sleep(REPLY_TIMEOUT_MS).then(() => false)]);
    return isOwner ? [...late, OWNER_SERVES] : late;
  } catch (error) {
    log.debug({ err: error }, "the database is away; its role is not known");
    return late;
  }
}

const REPLICA_LATE =
  "The replica of DATABASE_REPLICA_URL is away or more than 2 s behind, so the primary answers its reads too.";
const OWNER_SERVES =
  "The role of DATABASE_URL owns the tables, so it can change the books. Give the application a role of its own, and the " +
  "owner's address in MIGRATE_DATABASE_URL.";

/** The state of each part: "ok", "away", for migrations "pending", and for the disk "full". */
async function checkParts({ env, pool, redis, log }: Deps): Promise<Record<Part, string>> {
  const checked = async (part: Part, work: () => Promise<string>): Promise<string> => {
    try {
      return await Promise.race([work(), Bun.sleep(REPLY_TIMEOUT_MS).then(() => "away")]);
    } catch (error) {
      log.debug({ err: error, part }, "a part is not ready");
      return "away";
    }
  };
  const [database, redisWord, migrations, disk] = await Promise.all([
    checked("database", async () => {
      await pool.sql`SELECT 1`;
      return "ok";
    }),
    checked("redis", async () => {
      await pingRedis(redis);
      return "ok";
    }),
    checked("migrations", async () => {
      const { pendingMigrations, sql } = await readDatabaseState(pool.db);
      // A newer release may have changed the database. This process keeps serving until it is replaced.
      return pendingMigrations.length === 0 && sql !== "pending" ? "ok" : "pending";
    }),
    checked("disk", async () => ((await isDiskFull(storedFolders(env))) ? "full" : "ok")),
  ]);
  return { database, redis: redisWord, migrations, disk };
}
