import type { Redis } from "ioredis";
import type { SessionView } from "./schemas.ts";

/** Puts into sessions how many players are online in each, as the cable counts them; 0 while Redis does not answer. */
export async function countPlayersOnline(
  redis: Redis,
  views: readonly SessionView[],
): Promise<SessionView[]> {
  if (views.length === 0) return [];
  const counts = await redis.mget(views.map(({ id }) => `presence:session:${id}`)).catch(() => []);
  return views.map((view, index) => ({ ...view, playersOnline: Number(counts[index] ?? 0) }));
}
