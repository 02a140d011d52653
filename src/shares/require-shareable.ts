import { and, eq, gt, isNull } from "drizzle-orm";
import type { Queryable } from "#db/client.ts";
import type { ShareKind } from "#db/lists/shares.ts";
import { scores } from "#db/schema/scores.ts";
import { notFound, Refusal } from "#src/base/refusal.ts";
import { findCallViews } from "#src/play/calls/find-call-views.ts";
import { requireSessionId } from "#src/play/find-session-id.ts";
import { isPrivate } from "#src/play/shut-out.ts";
import { requireSession } from "#src/show/sessions/find-session.ts";
import type { SessionRow } from "#src/show/sessions/with-session.ts";
import { findSummedCalls } from "./find-summed-calls.ts";

type Target = { viewer: { id: number }; kind: ShareKind; targetId: number };

/**
 * Lets pass what a player can share: an own call that was not cancelled, an own call with its result, and a session that is over
 * and in which the player has a result. Nothing of a private session, and of the own records what is for everybody.
 * @throws Refusal 404 for what does not exist or is shut for the player, and for another player's call; 422 for everything else.
 */
export async function requireShareable(
  db: Queryable,
  { viewer, kind, targetId }: Target,
  now: Date,
): Promise<void> {
  if (kind === "records") return requireRecords(db, { userId: targetId, viewer });
  if (kind === "session") return requireOver(db, { sessionId: targetId, userId: viewer.id }, now);
  const [call] = await findCallViews(db, { callIds: [targetId] }, now);
  if (call === undefined || call.userId !== viewer.id) throw notFound();
  if (call.state === "soft_destroyed" && call.refundedBy === null) {
    throw new Refusal(422, "cancelled", "You took this call back, so there is nothing to show.");
  }
  if (call.sessionId !== null) await requirePublic(db, call.sessionId);
  if (kind === "result" && call.outcome === null) {
    throw new Refusal(422, "no_result", "This call has no result yet. Share the call itself.");
  }
}

/** A player who has won has a record: the shortest streak is one. */
async function requireRecords(
  db: Queryable,
  { userId, viewer }: { userId: number; viewer: { id: number } },
): Promise<void> {
  if (userId !== viewer.id) throw notFound();
  const won = and(eq(scores.userId, userId), isNull(scores.sessionId), gt(scores.bestStreak, 0));
  if ((await db.$count(scores, won)) > 0) return;
  throw new Refusal(422, "no_records", "You have no record yet. Your first right call makes one.");
}

/** What happens in a private session stays among those who have joined it. */
async function requirePublic(db: Queryable, sessionId: number): Promise<SessionRow> {
  const session = await requireSession(db, sessionId);
  if (!isPrivate(session.settings)) return session;
  throw new Refusal(422, "private", "This show is private. What happens in it is not shared outside.");
}

async function requireOver(
  db: Queryable,
  { sessionId, userId }: { sessionId: number; userId: number },
  now: Date,
): Promise<void> {
  // Before anything is said of it: for who is not in it, a private session does not exist. An admin shares as a player, too.
  await requireSessionId(db, String(sessionId), { id: userId, roles: [] });
  const session = await requirePublic(db, sessionId);
  if (session.state !== "stopped") {
    throw new Refusal(422, "not_over", "The session is not over yet. Share it when it is.");
  }
  const calls = await findSummedCalls(db, { sessionId, userId }, now);
  if (!calls.some(({ outcome }) => outcome !== null)) {
    throw new Refusal(422, "no_calls", "You have no result in this session, so there is nothing to show.");
  }
}
