import type { Deps } from "#src/base/deps.ts";
import type { Viewer } from "#src/people/sign-ins/viewer.ts";
import { requireScope } from "./find-board.ts";
import { findLeaders } from "./find-scores.ts";
import { noteForGuests } from "./note-for-guests.ts";
import type { LeadersAnswer, LeadersQuery } from "./schemas.ts";

declare module "#src/http/request-context.ts" {
  interface RequestContext {
    /** The answer of listLeaders that was read together with the sign-in; null for one that was not. */
    knownLeaders?: (query: LeadersQuery) => Promise<LeadersAnswer | null>;
  }
}

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
