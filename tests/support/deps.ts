import { expect } from "bun:test";
import path from "node:path";
import type { Deps } from "#src/base/deps.ts";
import { type Env, readEnv } from "#src/settings/env.ts";
import { listDifferences } from "#tests/support/books.ts";
import { afterFile } from "./after-file.ts";
import { connectDeps } from "./connect-deps.ts";
import { createTestDatabase } from "./database.ts";
import { createTestRedis } from "./redis.ts";
import { testServers } from "./servers.ts";

/** Real dependencies with a separate database and a separate Redis. `close` ends them. */
export type TestDeps = Deps & { close: () => Promise<void> };

/** The settings of a test: a data folder of its own, the demo off, the log silent. */
export async function buildEnv(
  addresses: { databaseUrl: string; redisUrl: string },
  variables: Record<string, string> = {},
): Promise<Env> {
  const { folder } = await testServers();
  return readEnv({
    NODE_ENV: "test",
    DATA_DIR: path.join(folder, crypto.randomUUID().slice(0, 8)),
    DATABASE_URL: addresses.databaseUrl,
    DATABASE_SILENT_SECONDS: "60",
    REDIS_URL: addresses.redisUrl,
    SECRET_KEY: "a secret that is only ever used in tests",
    LOG_LEVEL: "silent",
    DEMO: "off",
    DEPOSIT_MAX_WEEK: "off",
    MIN_AGE: "off",
    ...variables,
  });
}

/**
 * Builds the dependencies of the verbs for this test file, with a new database and a new Redis. At the end of the file they are
 * closed, and the books of the database must agree.
 * @param variables environment variables that differ from the defaults of tests.
 * @param options checkBooks: false if the file deliberately breaks the books. poolSize: as for `createTestDatabase`.
 */
export async function testDeps(
  variables: Record<string, string> = {},
  { checkBooks = true, ...database }: { checkBooks?: boolean; poolSize?: number } = {},
): Promise<TestDeps> {
  const deps = await buildDeps(variables, database);
  // The books first, and apart: they wait for a lock that a failed test still has.
  afterFile(() => deps.close());
  if (checkBooks) afterFile(async () => expect(await listDifferences(deps.pool.db)).toEqual([]));
  return deps;
}

/**
 * Builds the dependencies of the verbs with a new database and a new Redis, or that of REDIS_URL. The caller closes them; see testDeps() for those of a
 * whole file.
 * @param variables environment variables that differ from the defaults of tests.
 */
export async function buildDeps(
  variables: Record<string, string> = {},
  options: { poolSize?: number } = {},
): Promise<TestDeps> {
  const { REDIS_URL: address } = variables;
  const [database, server] = await Promise.all([
    createTestDatabase(options),
    address === undefined ? createTestRedis() : null,
  ]);
  const redisUrl = server?.url ?? address ?? "";
  const env = await buildEnv({ databaseUrl: database.url, redisUrl }, variables);
  const deps = await connectDeps(env, database.pool, server?.redis);
  const close = async () => {
    await deps.close();
    await Promise.all([database.drop(), server?.stop()]);
  };
  return { ...deps, close };
}
