import { expect } from "bun:test";
import path from "node:path";
import { createQueues } from "#jobs/queues.ts";
import type { Deps } from "#src/base/deps.ts";
import { createLog } from "#src/base/log.ts";
import { type Env, readEnv } from "#src/settings/env.ts";
import { createStore } from "#src/storage/create-store.ts";
import { listDifferences } from "#tests/support/books.ts";
import { afterFile } from "./after-file.ts";
import { createTestDatabase } from "./database.ts";
import { createTestRedis, readyConnection } from "./redis.ts";
import { testServers } from "./servers.ts";

/** Real parts for one test file: its own database and its own Redis. `close` ends all of it. */
export type TestDeps = Deps & { close: () => Promise<void> };

/** The settings of a test: everything its own, the demo off, the log silent. */
export async function buildEnv(
  addresses: { databaseUrl: string; redisUrl: string },
  variables: Record<string, string> = {},
): Promise<Env> {
  const { folder } = await testServers();
  return readEnv({
    NODE_ENV: "test",
    DATA_DIR: path.join(folder, crypto.randomUUID().slice(0, 8)),
    DATABASE_URL: addresses.databaseUrl,
    REDIS_URL: addresses.redisUrl,
    SECRET_KEY: "a secret that is only ever used in tests",
    LOG_LEVEL: "silent",
    DEMO: "off",
    ...variables,
  });
}

/**
 * What every verb is given, for one test file: on a fresh database and a fresh Redis, which end with the file. The books of
 * that database must agree then.
 * @param variables settings that differ from the usual ones, by their names in the environment.
 * @param options checkBooks: false where the file breaks the books on purpose.
 */
export async function testDeps(
  variables: Record<string, string> = {},
  { checkBooks = true } = {},
): Promise<TestDeps> {
  const deps = await buildDeps(variables);
  afterFile(async () => {
    const differences = checkBooks ? await listDifferences(deps.pool.db) : [];
    await deps.close();
    expect(differences).toEqual([]);
  });
  return deps;
}

/**
 * Builds what every verb is given, on a fresh database and a fresh Redis.
 * @param variables settings that differ from the usual ones, by their names in the environment.
 */
export async function buildDeps(variables: Record<string, string> = {}): Promise<TestDeps> {
  const [database, server] = await Promise.all([createTestDatabase(), createTestRedis()]);
  const env = await buildEnv({ databaseUrl: database.url, redisUrl: server.url }, variables);
  const queueConnection = await readyConnection(server.url);
  const queues = createQueues(queueConnection);
  return {
    env,
    pool: database.pool,
    redis: server.redis,
    queues,
    store: createStore(env.storage),
    log: createLog(env, "test"),
    notifyRelay: () => undefined,
    close: async () => {
      await queues.close();
      queueConnection.disconnect();
      await Promise.all([database.drop(), server.stop()]);
    },
  };
}
