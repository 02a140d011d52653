import type { Deps } from "#src/deps.ts";
import { serveEndpoints } from "#src/users/serve-endpoints.ts";
import { leaderboardEndpoints } from "./endpoints.ts";
import { listLeaders } from "./list-leaders.ts";
import { listScores } from "./list-scores.ts";

/** Answers the endpoints of scores. */
export function leaderboardRoutes(deps: Deps) {
  const { db } = deps.pool;
  return serveEndpoints(deps, leaderboardEndpoints, {
    listScores: ({ query, page, now }) => listScores(db, { query, page }, now),
    listLeaders: ({ viewer, query }) => listLeaders(db, viewer, query),
  });
}
