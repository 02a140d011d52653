import { inArray } from "drizzle-orm";
import { users } from "#db/schema/users.ts";
import type { Deps } from "#src/base/deps.ts";
import { arrivedKey } from "#src/base/redis-keys.ts";
import { presentAvatar } from "#src/people/avatars/present-avatar.ts";
import { ARRIVALS_NAMED } from "./contract.ts";
import type { Arrivals } from "./schemas.ts";

/** Who has come to a session, as the cable has counted them; null while Redis is not available. */
export async function findArrivals(
  { pool, redis }: Pick<Deps, "pool" | "redis">,
  sessionId: number,
): Promise<Arrivals | null> {
  const key = arrivedKey(redis, sessionId);
  const read = Promise.all([redis.zcard(key), redis.zrange(key, String(-ARRIVALS_NAMED), "-1")]);
  const [count, members] = await read.catch(() => [0, null] as const);
  if (members === null) return null;
  if (members.length === 0) return { count, players: [] };
  const ids = members.map(Number);
  const rows = await pool.db
    .select({ userId: users.id, username: users.username, avatar: users.avatar, deletedAt: users.deletedAt })
    .from(users)
    .where(inArray(users.id, ids));
  const known = new Map(rows.map((row) => [row.userId, row]));
  const players = ids.flatMap((id) => {
    const row = known.get(id);
    if (row === undefined || row.deletedAt !== null) return [];
    return [{ userId: id, username: row.username, picture: presentAvatar(row.avatar).small }];
  });
  return { count: count - (ids.length - players.length), players };
}
