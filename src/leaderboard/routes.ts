import { Elysia } from "elysia";
import type { Deps } from "#src/deps.ts";
import { requireViewer } from "#src/users/require-viewer.ts";
import { visiting } from "#src/users/visiting.ts";
import { listLeaders } from "./list-leaders.ts";
import { listScores } from "./list-scores.ts";

/** Who has won and lost how many events, in one session or in all of them. */
export function leaderboardRoutes(deps: Deps) {
  return new Elysia({ name: "leaderboard" })
    .use(visiting(deps))
    .get("/api/v1/scores", ({ query, visit }) => {
      requireViewer(visit);
      return listScores(deps.pool.db, { query, now: new Date() });
    })
    .get("/api/v1/scores/leaders", ({ query, visit }) =>
      listLeaders(deps.pool.db, requireViewer(visit), query),
    );
}
