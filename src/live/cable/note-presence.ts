import type { Deps } from "#src/base/deps.ts";
import { presenceKey } from "#src/base/redis-keys.ts";
import { serverNow } from "#src/base/server-clock.ts";

/** A player without a page counts as online for so long after a move. */
const LIFETIME_MS = 120_000;

/**
 * Counts a player who has no page among those who are online in a session, because the player has just made a move: a robot. The
 * processes with pages of the session count it with their next pass (presence-counter.ts).
 */
export async function notePresence(
  { redis }: Pick<Deps, "redis">,
  { sessionId, userId }: { sessionId: number; userId: number },
): Promise<void> {
  const key = `${presenceKey(redis, sessionId)}:players`;
  await redis.zadd(key, serverNow().getTime() + LIFETIME_MS, `${userId} robots`);
  await redis.pexpire(key, LIFETIME_MS);
}
