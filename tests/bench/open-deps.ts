import { connect } from "#db/client.ts";
import { createQueues } from "#jobs/queues.ts";
import type { Deps } from "#src/deps.ts";
import { readEnv } from "#src/env.ts";
import { createLog } from "#src/log.ts";
import { createStore } from "#src/storage/create-store.ts";
import { readyConnection } from "#tests/support/redis.ts";

/** What a server of a bench is given, in a process of its own: the servers that its environment names. Nothing is told. */
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
    ringOutbox: () => undefined,
  };
}
