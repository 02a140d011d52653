import type { Deps } from "#src/base/deps.ts";
import { createKnownRead } from "#src/http/known-read.ts";
import type { Viewer } from "#src/people/sign-ins/viewer.ts";
import { requireScope } from "./find-board.ts";
import { findLeaders } from "./find-scores.ts";
import { noteForGuests } from "./note-for-guests.ts";
import type { LeadersAnswer, LeadersQuery } from "./schemas.ts";

/** The answer of listLeaders for a player or guest, if the query names a session. */
export const knownLeaders = createKnownRead<LeadersQuery, LeadersAnswer>();

/**
 * The leaders, and the viewer's own score at any rank.
 * @throws Refusal 404 for an unknown session or season; 422 for both at once.
 */
export async function listLeaders(
  deps: Pick<Deps, "pool" | "env">,
  viewer: Pick<Viewer, "id" | "roles" | "guest">,
  { limit, ...name }: LeadersQuery,
): Promise<LeadersAnswer> {
  const scope = await requireScope(deps.pool.db, name, viewer);
  const answer = await findLeaders(deps, { ...scope, limit, viewerId: viewer.id });
  return { ...answer, exclusion: answer.exclusion ?? noteForGuests(deps.env, viewer) };
}
