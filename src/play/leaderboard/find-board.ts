import type { Queryable } from "#db/client.ts";
import { invalid } from "#src/base/refusal.ts";
import type { Viewer } from "#src/people/sign-ins/viewer.ts";
import { requireSeason } from "#src/play/find-season.ts";
import { requireSessionId } from "#src/play/find-session-id.ts";
import type { Scope } from "./score-conditions.ts";

/** How a request names a leaderboard: by a session, by a season, or by neither for that of all time. */
type BoardName = { sessionId?: string | undefined; seasonId?: string | undefined };

/**
 * The leaderboard that a request names.
 * @throws Refusal 404 for an unknown session or season; 422 for both at once.
 */
export async function requireScope(
  db: Queryable,
  { sessionId, seasonId }: BoardName,
  viewer: Pick<Viewer, "id" | "roles">,
): Promise<Scope> {
  if (seasonId === undefined) return { sessionId: (await requireSessionId(db, sessionId, viewer)) ?? null };
  if (sessionId !== undefined) throw invalid({ seasonId: ["can't be combined with a session"] });
  return { sessionId: null, season: await requireSeason(db, seasonId) };
}
