import { sql } from "drizzle-orm";
import * as v from "valibot";
import type { Queryable } from "#db/client.ts";
import type { Deps } from "#src/base/deps.ts";
import type { Viewer } from "#src/people/sign-ins/viewer.ts";
import { requireSessionId } from "#src/play/find-session-id.ts";
import { findTeams } from "./find-teams.ts";
import { suggestTeam } from "./rank-teams.ts";
import type { TeamsAnswer } from "./schemas.ts";

/**
 * The teams of a session by rank, and the viewer's own.
 * @throws Refusal 404 for an unknown session, and one that is shut for the viewer.
 */
export async function showTeams(
  deps: Pick<Deps, "pool" | "env">,
  viewer: Pick<Viewer, "id" | "roles">,
  slugOrId: string,
): Promise<TeamsAnswer> {
  const { db } = deps.pool;
  const sessionId = await requireSessionId(db, slugOrId, viewer);
  const teams = await findTeams(deps, sessionId);
  const { team, fixed } = await findOwnTeam(db, { sessionId, userId: viewer.id });
  return {
    teams: [...teams],
    mine: teams.some(({ number }) => number === team) ? team : null,
    suggested: suggestTeam(teams),
    changeable: teams.length > 0 && !fixed,
  };
}

type Key = { sessionId: number; userId: number };
const own = v.object({ team: v.nullable(v.number()), fixed: v.boolean() });

/** The number of a player's team as it is stored; null: in none. `fixed`: only a host can change it, or nobody after the session. */
export async function findOwnTeam(
  db: Queryable,
  { sessionId, userId }: Key,
): Promise<v.InferOutput<typeof own>> {
  const [row] = await db.execute(sql`
    SELECT g.team, z.state = 'stopped' OR EXISTS (
      SELECT 1 FROM scores s WHERE s.user_id = ${userId} AND s.session_id = z.id) AS fixed
    FROM sessions z LEFT JOIN registrations g ON g.session_id = z.id AND g.user_id = ${userId}
    WHERE z.id = ${sessionId}`);
  return v.parse(own, row);
}
