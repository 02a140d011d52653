import { connect } from "#db/client.ts";
import { createLog } from "#src/base/log.ts";
import { createQueues } from "#src/base/queues.ts";
import { connectRedis } from "#src/base/redis.ts";
import { createStore } from "#src/people/storage/create-store.ts";
import { runCommand } from "#src/run/command-line.ts";
import { refuseTakenRedis } from "#src/run/refuse-taken-redis.ts";
import { readEnv } from "#src/settings/env.ts";
import { SettingsError } from "#src/settings/settings.ts";
import { seedDemo } from "./seed-demo.ts";

// bun run seed: fills the database of the settings with the demo, once.
await runCommand(async () => {
  const env = readEnv();
  if (env.production) {
    throw new SettingsError(
      "Production has no demo: everybody knows the password of its admin. bun run admin EMAIL makes the first admin.",
    );
  }
  const pool = connect(env.ownerDatabaseUrl, { poolSize: 1 });
  const redis = connectRedis(env.redisUrl, "commands");
  const log = createLog(env, "seed");
  const startedAtMs = performance.now();
  try {
    // Without Redis the verbs use the database's own locks, so seeding does not wait long for it.
    await refuseTakenRedis({ env, pool, redis, log });
    const queues = createQueues(redis);
    const store = createStore(env.storage);
    await seedDemo({ env, pool, redis, queues, store, log, notifyRelay: () => undefined });
    await queues.close();
    log.info({ ms: Math.round(performance.now() - startedAtMs) }, "seeded the demo");
  } finally {
    redis.disconnect();
    await pool.close();
  }
});
