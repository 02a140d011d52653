import { connect } from "#db/client.ts";
import { createQueues } from "#jobs/queues.ts";
import type { Deps } from "#src/base/deps.ts";
import { createLog } from "#src/base/log.ts";
import { createStore } from "#src/people/storage/create-store.ts";
import { readEnv } from "#src/settings/env.ts";
import { readyConnection } from "#tests/support/redis.ts";

/** The deps of a bench server in its own process, on the servers of its environment. There is no relay. */
export async function openDeps(): Promise<Deps> {
  const env = readEnv();
  const redis = await readyConnection(env.redisUrl);
  return {
    env,
    redis,
    pool: connect(env.databaseUrl),
    queues: createQueues(redis),
    store: createStore(env.storage),
    log: createLog(env, "bench"),
    notifyRelay: () => undefined,
  };
}
