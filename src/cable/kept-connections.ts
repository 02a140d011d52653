import type { Redis } from "ioredis";
import * as v from "valibot";
import type { Deps } from "#src/base/deps.ts";
import { HISTORY_S } from "#src/streams/stream-offsets.ts";
import type { Peer } from "./desk.ts";
import { parseJson } from "./parse-command.ts";

const kept = v.object({
  userId: v.number(),
  signInId: v.nullable(v.string()),
  identifiers: v.array(v.string()),
});

/**
 * Remembers what a connection listens to, for as long as what it misses is remembered too: whoever names its `sid` in that
 * time listens on, in any process. Without Redis nothing is remembered, and the client subscribes anew.
 */
export async function keepConnection(
  { redis, log }: Pick<Deps, "redis" | "log">,
  { sid, viewer, signInId }: Peer,
  identifiers: readonly string[],
): Promise<void> {
  const text = JSON.stringify({ userId: viewer.id, signInId, identifiers });
  try {
    await redis.set(keyOf(sid), text, "EX", HISTORY_S);
  } catch (error) {
    log.debug({ err: error }, "a connection cannot be taken up again");
  }
}

/** What a former connection of the same sign-in listened to; null where there is none. Rejects while Redis is away. */
export async function findKept(
  redis: Redis,
  { formerSid, viewer, signInId }: Peer,
): Promise<string[] | null> {
  if (formerSid === null) return null;
  const parsed = v.safeParse(kept, parseJson((await redis.get(keyOf(formerSid))) ?? ""));
  if (!parsed.success || parsed.output.userId !== viewer.id || parsed.output.signInId !== signInId)
    return null;
  return parsed.output.identifiers;
}

function keyOf(sid: string): string {
  return `cable:connection:${sid}`;
}
