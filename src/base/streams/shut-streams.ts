import type { Deps } from "#src/base/deps.ts";
import { broadcastControl } from "./broadcast.ts";

/**
 * Ends the subscriptions to a session's streams of those for whom it does not exist any more, in all processes. Without Redis each
 * process finds them within half a minute.
 */
export async function shutStreams(
  { redis, log }: Pick<Deps, "redis" | "log">,
  sessionId: number,
): Promise<void> {
  try {
    await broadcastControl(redis, { shut: sessionId });
  } catch (error) {
    log.debug({ err: error, sessionId }, "who may not follow a session any more is found by the next check");
  }
}
