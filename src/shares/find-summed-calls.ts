import type { Queryable } from "#db/client.ts";
import { findCallViews } from "#src/play/calls/find-call-views.ts";
import type { CallView } from "#src/play/calls/schemas.ts";

/** More than a player can place in a session by hand. */
const CALLS_MAX = 1_000;

/** A player's calls in a session in the order in which they were placed, without those that the player cancelled. */
export async function findSummedCalls(
  db: Queryable,
  { sessionId, userId }: { sessionId: number; userId: number },
  now: Date,
): Promise<CallView[]> {
  const page = { limit: CALLS_MAX, offset: 0 };
  return (await findCallViews(db, { userId, session: sessionId, cancelled: false, page }, now)).toReversed();
}
