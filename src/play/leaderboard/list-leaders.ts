import type { Deps } from "#src/base/deps.ts";
import { createKnownRead } from "#src/http/known-read.ts";
import { requireSessionId } from "#src/play/find-session-id.ts";
import { findLeaders } from "./find-scores.ts";
import { noteForGuests } from "./note-for-guests.ts";
import type { LeadersAnswer, LeadersQuery } from "./schemas.ts";

/** The answer of listLeaders for a player or guest, if the query names a session. */
export const knownLeaders = createKnownRead<LeadersQuery, LeadersAnswer>();

/**
 * The leaders, and the viewer's own score at any rank.
 * @throws Refusal 404 for an unknown session.
 */
export async function listLeaders(
  deps: Pick<Deps, "pool" | "env">,
  viewer: { id: number; guest: boolean },
  { sessionId: slugOrId, limit }: LeadersQuery,
): Promise<LeadersAnswer> {
  const sessionId = (await requireSessionId(deps.pool.db, slugOrId)) ?? null;
  const answer = await findLeaders(deps, { sessionId, limit, viewerId: viewer.id });
  return { ...answer, exclusion: answer.exclusion ?? noteForGuests(deps.env, viewer) };
}
