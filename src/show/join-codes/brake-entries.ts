import type { Deps } from "#src/base/deps.ts";
import { Refusal } from "#src/base/refusal.ts";
import { limitRate } from "#src/http/rate-limit.ts";
import { rates } from "#src/http/rates.ts";

// Decision: people walk into a room, programs fall into it. So entries of one network are counted twice: within seconds, which no crowd
// at a door exceeds, and within minutes. A caller who is refused comes in a few seconds later, as one of a crowd; the host is told how many
// were refused, and has the lock and the removal of a wave for those who are no people. Who is in already is never refused.

/** For so long the host reads of entries that were refused. */
const HELD_SHOWN_S = 120;

type DoorDeps = Pick<Deps, "redis" | "log">;

/**
 * Counts an entry by code against its network.
 * @throws Refusal 429 while entries of the network come faster than people walk in.
 */
export async function brakeEntries(
  deps: DoorDeps & Pick<Deps, "env">,
  sessionId: number,
  { address }: { address: string },
): Promise<void> {
  try {
    await limitRate(deps, rates.enterBurst, { address, viewer: null });
    await limitRate(deps, rates.enter, { address, viewer: null });
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    await noteHeld(deps, sessionId);
    const { retryAfterSeconds = 1 } = error.details;
    const sentence = `Many come in at once from your network. Try again in ${retryAfterSeconds} s.`;
    throw new Refusal(error.status, error.code, sentence, { retryAfterSeconds });
  }
}

async function noteHeld({ redis, log }: DoorDeps, sessionId: number): Promise<void> {
  try {
    await redis.incr(keyOf(sessionId));
    await redis.expire(keyOf(sessionId), HELD_SHOWN_S);
  } catch (error) {
    log.debug({ err: error, sessionId }, "an entry that was refused could not be counted");
  }
}

/** How many entries of a session were refused, until two minutes without one have passed. 0 while Redis is away. */
export async function countHeld({ redis, log }: DoorDeps, sessionId: number): Promise<number> {
  try {
    return Number(await redis.get(keyOf(sessionId)));
  } catch (error) {
    log.debug({ err: error, sessionId }, "entries that were refused could not be read");
    return 0;
  }
}

function keyOf(sessionId: number): string {
  return `door:held:${sessionId}`;
}
