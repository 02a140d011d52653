import { sql } from "drizzle-orm";
import { events } from "#db/schema/events.ts";
import { sessions } from "#db/schema/sessions.ts";
import { createQueues } from "#jobs/queues.ts";
import type { Deps } from "#src/base/deps.ts";
import { createLog } from "#src/base/log.ts";
import { connectRedis } from "#src/base/redis.ts";
import { createStore } from "#src/storage/create-store.ts";
import { createTestDatabase } from "#tests/support/database.ts";
import { buildEnv } from "#tests/support/deps.ts";
import { createTestRedis, readyConnection } from "#tests/support/redis.ts";

/**
 * Where simulations are played, one after the other: a database that is spoken to by one connection only, which makes the
 * clock this stage's own, and a Redis for the locks.
 */
export type Environment = {
  deps: Deps;
  /** A connection to a Redis that is away: whatever is asked of it fails at once. */
  unreachableRedis: Deps["redis"];
  /** Ends what the last simulation has left open, so that the next one finds nothing due and nobody with the flag. */
  finishAll: () => Promise<void>;
  close: () => Promise<void>;
};

export async function openEnvironment(): Promise<Environment> {
  const [database, server] = await Promise.all([createTestDatabase({ poolSize: 1 }), createTestRedis()]);
  const env = await buildEnv({ databaseUrl: database.url, redisUrl: server.url });
  const queueConnection = await readyConnection(server.url);
  const queues = createQueues(queueConnection);
  const redisAway = connectRedis(server.url, "commands");
  redisAway.disconnect();
  const { db } = database.pool;
  return {
    deps: {
      env,
      pool: database.pool,
      redis: server.redis,
      queues,
      store: createStore(env.storage),
      log: createLog(env, "simulator"),
      notifyRelay: () => undefined,
    },
    unreachableRedis: redisAway,
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
      await queues.close();
      queueConnection.disconnect();
      await Promise.all([database.drop(), server.stop()]);
    },
  };
}
