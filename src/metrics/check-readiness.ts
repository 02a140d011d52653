import { hasStatementTimeout } from "#db/has-statement-timeout.ts";
import { readDatabaseState } from "#db/migrate.ts";
import { ownsTables } from "#db/roles/owns-tables.ts";
import type { Deps } from "#src/base/deps.ts";
import { isDiskFull, storedFolders } from "#src/base/disk-space.ts";
import { pingRedis } from "#src/base/redis.ts";

/** A part that has not replied by then counts as away. */
const REPLY_TIMEOUT_MS = 2_000;
/** A check costs statements, and anybody may ask. */
const KEPT_MS = 1_000;

type Part = "database" | "redis" | "migrations" | "disk";

/** Whether a process and everything it needs can serve requests. */
type Readiness = {
  /** The state of each part: "ok", "away", for migrations "pending", and for the disk "full". */
  parts: Record<Part, string>;
  /** What works, and should be otherwise. */
  warnings: string[];
};

/** Returns what checks the readiness. All who ask during a check, and for a second after it, get the same answer. */
export function createReadinessCheck(deps: Deps): () => Promise<Readiness> {
  let checked: Promise<Readiness> | null = null;
  return () => {
    if (checked !== null) return checked;
    const checking = checkReadiness(deps);
    checked = checking;
    void checking.then(() => setTimeout(() => (checked = null), KEPT_MS).unref());
    return checking;
  };
}

async function checkReadiness(deps: Deps): Promise<Readiness> {
  const [parts, warnings] = await Promise.all([checkParts(deps), findWarnings(deps)]);
  return { parts, warnings };
}

/** What works, and should be otherwise. Nothing about the database while it is away. */
export async function findWarnings({ pool, replica, log }: Deps): Promise<string[]> {
  const late = replica !== undefined && replica.pool() === null ? [REPLICA_LATE] : [];
  try {
    const known = await Promise.race([
      Promise.all([ownsTables(pool.db), hasStatementTimeout(pool.db)]),
      Bun.sleep(REPLY_TIMEOUT_MS).then(() => null),
    ]);
    if (known === null) return late;
    const [isOwner, isLimited] = known;
    return [...late, ...(isOwner ? [OWNER_SERVES] : []), ...(isLimited ? [] : [NO_LIMIT])];
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
const NO_LIMIT =
  "Nothing ends a statement that runs for ever: no limit can be sent through a PgBouncer. As an administrator of the database: " +
  "ALTER ROLE called_it SET statement_timeout = '30s', for the role of DATABASE_URL.";

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
