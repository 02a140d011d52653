import { connect } from "#db/client.ts";
import type { Deps } from "#src/base/deps.ts";
import type { PostgresEngine } from "#tests/engines/postgres.ts";
import { afterFile, startFileProduct } from "#tests/support/after-file.ts";
import { connectDeps } from "#tests/support/connect-deps.ts";
import { buildEnv } from "#tests/support/deps.ts";
import type { ProductProcess } from "#tests/support/product-process.ts";
import { createTestRedis } from "#tests/support/redis.ts";

/**
 * Real dependencies on the database of an engine, as its owner, with a new Redis. They are closed at the end of the file.
 * @param variables environment variables that differ from the defaults of tests.
 */
export async function engineDeps(
  engine: Pick<PostgresEngine, "ownerUrl">,
  variables: Record<string, string> = {},
): Promise<Deps> {
  const redis = await createTestRedis();
  const env = await buildEnv({ databaseUrl: engine.ownerUrl, redisUrl: redis.url }, variables);
  const deps = await connectDeps(env, connect(env.databaseUrl, { silentAfterMs: env.databaseSilentMs }));
  afterFile(async () => {
    await deps.close();
    await Promise.all([deps.pool.close(), redis.stop()]);
  });
  return deps;
}

/**
 * Starts the whole product on the servers of these dependencies. It ends with the file.
 * @param databaseUrl as the application's role, by whatever way the product is to take.
 * @param ownerUrl as the owner of the tables.
 */
export function startProductOn(
  { env }: Pick<Deps, "env">,
  { databaseUrl, ownerUrl, ...variables }: { databaseUrl: string; ownerUrl: string } & Record<string, string>,
): ProductProcess {
  return startFileProduct({
    DATABASE_URL: databaseUrl,
    MIGRATE_DATABASE_URL: ownerUrl,
    DATABASE_SILENT_SECONDS: "3",
    REDIS_URL: env.redisUrl,
    SECRET_KEY: env.secretKey,
    DEMO: "off",
    ...variables,
  });
}
