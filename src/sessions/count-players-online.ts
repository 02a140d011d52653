import type { Redis } from "ioredis";
import type { SessionView } from "./schemas.ts";

/** The key in Redis under which the cable counts the players who are online in a session; none: 0. */
export function presenceKey(sessionId: number): string {
  return `presence:session:${sessionId}`;
}

/** Sets `playersOnline` of sessions to the cable's counts in Redis; 0 while Redis is not available. */
export async function countPlayersOnline(
  redis: Redis,
  views: readonly SessionView[],
): Promise<SessionView[]> {
  if (views.length === 0) return [];
  const counts = await redis.mget(views.map(({ id }) => presenceKey(id))).catch(() => []);
  return views.map((view, index) => ({ ...view, playersOnline: Number(counts[index] ?? 0) }));
}
