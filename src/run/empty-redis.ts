import { once } from "node:events";
import { emptyRedis } from "#src/base/empty-redis.ts";
import { describeRedisTrouble } from "#src/base/redis-trouble.ts";
import { connectRedis } from "#src/base/redis.ts";
import { readEnv } from "#src/settings/env.ts";
import { runCommand } from "./command-line.ts";

const CONNECTS_WITHIN_MS = 3_000;

// bun run empty-redis: removes all keys of the Redis that the settings name, under its number. It is needed after the database was moved or
// restored, and harmless at any time: what Redis holds is set again from the database.
await runCommand(async ({ say }) => {
  const { redisUrl } = readEnv();
  const redis = connectRedis(redisUrl, "commands");
  try {
    await once(redis, "ready", { signal: AbortSignal.timeout(CONNECTS_WITHIN_MS) }).catch(
      (error: unknown) => {
        throw new Error(describeRedisTrouble(redisUrl, error instanceof Error ? error : null), {
          cause: error,
        });
      },
    );
    say(`Redis is empty: ${await emptyRedis(redis)} keys are removed.`);
  } finally {
    redis.disconnect();
  }
});
