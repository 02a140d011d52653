import type { DatabasePool } from "#db/client.ts";
import type { Deps } from "#src/base/deps.ts";
import { createLog } from "#src/base/log.ts";
import { createQueues } from "#src/base/queues.ts";
import type { RedisClient } from "#src/base/redis.ts";
import { createStore } from "#src/people/storage/create-store.ts";
import type { Env } from "#src/settings/env.ts";
import { readyConnection } from "./redis.ts";

/** The deps of a process with these settings, on servers that run. There is no relay. `close` leaves the pool open. @param redisOf a connection that is there. */
export async function connectDeps(
  env: Env,
  pool: DatabasePool,
  redisOf?: RedisClient,
): Promise<Deps & { close: () => Promise<void> }> {
  const redis = redisOf ?? (await readyConnection(env.redisUrl));
  const queueConnection = await readyConnection(env.redisUrl);
  const queues = createQueues(queueConnection);
  return {
    env,
    pool,
    redis,
    queues,
    store: createStore(env.storage),
    log: createLog(env, "test"),
    notifyRelay: () => undefined,
    close: async () => {
      await queues.close();
      for (const connection of [redis, queueConnection]) connection.disconnect();
    },
  };
}
