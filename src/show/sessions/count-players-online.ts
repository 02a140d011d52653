import { getNumbers, presenceKey } from "#src/base/redis-keys.ts";
import type { RedisClient } from "#src/base/redis.ts";
import type { SessionView } from "./schemas.ts";

/** Sets `playersOnline` of sessions to the cable's counts in Redis; 0 while Redis is not available. */
export async function countPlayersOnline(
  redis: RedisClient,
  views: readonly SessionView[],
): Promise<SessionView[]> {
  if (views.length === 0) return [];
  const keys = views.map(({ id }) => presenceKey(redis, id));
  const counts = await getNumbers(redis, keys).catch(() => []);
  return views.map((view, index) => ({ ...view, playersOnline: counts[index] ?? 0 }));
}
