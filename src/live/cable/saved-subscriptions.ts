import * as v from "valibot";
import type { Deps } from "#src/base/deps.ts";
import type { RedisClient } from "#src/base/redis.ts";
import { HISTORY_S } from "#src/base/streams/stream-offsets.ts";
import type { CableClient } from "./hub-api.ts";
import { parseJson } from "./parse-command.ts";

const savedSubscriptions = v.object({
  userId: v.number(),
  signInId: v.nullable(v.string()),
  identifiers: v.array(v.string()),
});

/**
 * Stores the subscriptions of a connection under its `sid`, for as long as the history of streams. A client that reconnects
 * with this `sid` in time resumes them, in any process. Without Redis nothing is stored, and the client subscribes again.
 */
export async function saveSubscriptions(
  { redis, log }: Pick<Deps, "redis" | "log">,
  { sid, viewer, signInId }: CableClient,
  identifiers: readonly string[],
): Promise<void> {
  const text = JSON.stringify({ userId: viewer.id, signInId, identifiers });
  try {
    await redis.set(keyOf(sid), text, "EX", HISTORY_S);
  } catch (error) {
    log.debug({ err: error }, "the subscriptions of a connection could not be stored; it cannot be resumed");
  }
}

/**
 * Takes the subscriptions of the client's previous connection, if it had the same sign-in; else null. They can be taken once,
 * because resuming them is more work than a handshake. Rejects while Redis is away.
 */
export async function takeSavedSubscriptions(
  redis: RedisClient,
  { previousSid, viewer, signInId }: CableClient,
): Promise<string[] | null> {
  if (previousSid === null) return null;
  const parsed = v.safeParse(savedSubscriptions, parseJson((await redis.get(keyOf(previousSid))) ?? ""));
  if (!parsed.success || parsed.output.userId !== viewer.id || parsed.output.signInId !== signInId)
    return null;
  const isFirst = (await redis.del(keyOf(previousSid))) === 1;
  return isFirst ? parsed.output.identifiers : null;
}

function keyOf(sid: string): string {
  return `cable:connection:${sid}`;
}
