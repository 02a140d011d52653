import type { Deps } from "#src/base/deps.ts";
import { bySlot, streamKey } from "#src/base/redis-keys.ts";
import { chatStream, sessionStream, userStream } from "#src/base/streams/broadcast.ts";
import { rates } from "#src/http/rates.ts";

/**
 * Deletes what Redis has of a deleted account: the messages with its name in the histories of streams, and the rate counts of its
 * address. A page that reconnects then finds a gap in the history and reads its data again. While Redis is away this is logged
 * only: histories expire 5 minutes after the last message.
 */
export async function eraseInRedis(
  { redis, log }: Pick<Deps, "redis" | "log">,
  { userId, email, sessionIds }: { userId: number; email: string | null; sessionIds: readonly number[] },
): Promise<void> {
  const histories = [userStream(userId), ...sessionIds.flatMap((id) => [sessionStream(id), chatStream(id)])];
  const counts = [email, String(userId)].flatMap((account) =>
    account === null ? [] : Object.values(rates).map(({ name }) => `rate:${name}:account:${account}`),
  );
  try {
    const keys = [...histories.map((stream) => streamKey(redis, stream)), ...counts];
    await bySlot(redis, { items: keys, keyOf: (key) => key }, async (some) => [await redis.del(...some)]);
  } catch (error) {
    log.warn({ err: error, userId }, "could not delete the messages of a deleted account from Redis");
  }
}
