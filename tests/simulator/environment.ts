import { sql } from "drizzle-orm";
import { events } from "#db/schema/events.ts";
import { sessions } from "#db/schema/sessions.ts";
import type { Deps } from "#src/base/deps.ts";
import { unreachableRedis } from "#src/base/redis.ts";
import { connectDeps } from "#tests/support/connect-deps.ts";
import { createTestDatabase } from "#tests/support/database.ts";
import { buildEnv } from "#tests/support/deps.ts";
import { createTestRedis } from "#tests/support/redis.ts";

/**
 * The servers on which simulations run one after the other: a database with a single connection, so that its clock can be
 * controlled, and a Redis for the locks.
 */
export type Environment = {
  deps: Deps;
  /** A disconnected Redis connection: every command on it fails at once. */
  unreachableRedis: Deps["redis"];
  /** Removes all timed transitions and the active flag that the last simulation has left. */
  finishAll: () => Promise<void>;
  close: () => Promise<void>;
};

export async function openEnvironment(): Promise<Environment> {
  const [database, server] = await Promise.all([createTestDatabase({ poolSize: 1 }), createTestRedis()]);
  const env = await buildEnv({ databaseUrl: database.url, redisUrl: server.url });
  const deps = await connectDeps(env, database.pool);
  const { db } = database.pool;
  return {
    deps,
    unreachableRedis: unreachableRedis(),
    finishAll: async () => {
      await db
        .update(events)
        .set({ dueAt: null, nextTransition: null, remainingMs: null })
        .where(sql`${events.nextTransition} IS NOT NULL`);
      await db
        .update(sessions)
        .set({ active: false })
        .where(sql`${sessions.active}`);
    },
    close: async () => {
      await deps.close();
      await Promise.all([database.drop(), server.stop()]);
    },
  };
}
