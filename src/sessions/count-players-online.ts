import type { Redis } from "ioredis";
import type { SessionView } from "./schemas.ts";

/** Sets `playersOnline` of sessions to the cable's counts in Redis; 0 while Redis is not available. */
export async function countPlayersOnline(
  redis: Redis,
  views: readonly SessionView[],
): Promise<SessionView[]> {
  if (views.length === 0) return [];
  const counts = await redis.mget(views.map(({ id }) => `presence:session:${id}`)).catch(() => []);
  return views.map((view, index) => ({ ...view, playersOnline: Number(counts[index] ?? 0) }));
}
