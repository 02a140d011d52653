import type { Queryable } from "#db/client.ts";
import type { ShareKind } from "#db/lists/shares.ts";
import { notFound, Refusal } from "#src/base/refusal.ts";
import { findCallViews } from "#src/play/calls/find-call-views.ts";
import { findSession } from "#src/show/sessions/find-session.ts";
import { findSummedCalls } from "./find-summed-calls.ts";

type Target = { viewer: { id: number }; kind: ShareKind; targetId: number };

/**
 * Lets pass what a player can share: an own call that was not cancelled, an own call with its result, and a session that is over
 * and in which the player has a result.
 * @throws Refusal 404 for what does not exist and for another player's call; 422 for everything else.
 */
export async function requireShareable(
  db: Queryable,
  { viewer, kind, targetId }: Target,
  now: Date,
): Promise<void> {
  if (kind === "session") return requireOver(db, { sessionId: targetId, userId: viewer.id }, now);
  const [call] = await findCallViews(db, { callIds: [targetId] }, now);
  if (call === undefined || call.userId !== viewer.id) throw notFound();
  if (call.state === "soft_destroyed" && call.refundedBy === null) {
    throw new Refusal(422, "cancelled", "You took this call back, so there is nothing to show.");
  }
  if (kind === "result" && call.outcome === null) {
    throw new Refusal(422, "no_result", "This call has no result yet. Share the call itself.");
  }
}

async function requireOver(
  db: Queryable,
  { sessionId, userId }: { sessionId: number; userId: number },
  now: Date,
): Promise<void> {
  const session = await findSession(db, sessionId);
  if (session === null) throw notFound();
  if (session.state !== "stopped") {
    throw new Refusal(422, "not_over", "The session is not over yet. Share it when it is.");
  }
  const calls = await findSummedCalls(db, { sessionId, userId }, now);
  if (!calls.some(({ outcome }) => outcome !== null)) {
    throw new Refusal(422, "no_calls", "You have no result in this session, so there is nothing to show.");
  }
}
