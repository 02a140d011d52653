import type { Queryable } from "#db/client.ts";
import { findSessionId } from "#src/calls/find-session-id.ts";
import { createKnownRead } from "#src/http/known-read.ts";
import { findLeaders } from "./find-scores.ts";
import type { LeadersAnswer, LeadersQuery } from "./schemas.ts";

/** The answer of listLeaders for a player or guest, if the query names a session. */
export const knownLeaders = createKnownRead<LeadersQuery, LeadersAnswer>();

/**
 * The leaders, and the viewer's own score at any rank.
 * @throws Refusal 404 for an unknown session.
 */
export async function listLeaders(
  db: Queryable,
  viewer: { id: number },
  { sessionId, limit }: LeadersQuery,
): Promise<LeadersAnswer> {
  return findLeaders(db, {
    sessionId: (await findSessionId(db, sessionId)) ?? null,
    limit,
    viewerId: viewer.id,
  });
}
