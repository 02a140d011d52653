import { rates } from "#src/http/rates.ts";
import { endpoint } from "#src/people/sign-ins/serve-endpoints.ts";
import { excludePlayer, restorePlayer } from "./exclude-player.ts";
import { listExclusions } from "./find-exclusions.ts";
import { listLeaders, listScores } from "./find-scores.ts";
import { recomputeScores } from "./repair-scores.ts";
import {
  excludeBody,
  exclusionAnswer,
  exclusionsAnswer,
  exclusionsQuery,
  leadersAnswer,
  leadersQuery,
  recomputeAnswer,
  recomputeQuery,
  scoresAnswer,
  scoresQuery,
} from "./schemas.ts";

const seasonNotes =
  "With `season_id` (its slug, its id, or `current`): what was decided in that season. An event counts for the season in which it was first decided, also when its result is corrected later.";

/** Scores: how many events each player has won and lost, in one session, in a season, or in all of them. */
export const leaderboardEndpoints = {
  listScores: endpoint({
    route: "GET /api/v1/scores",
    summary: "Lists the scores of all players, by rank",
    notes: seasonNotes,
    who: "viewer",
    query: scoresQuery.entries,
    paged: true,
    answer: scoresAnswer,
    etag: true,
    handle: (deps, { viewer, query, page, now }) => listScores(deps, { viewer, query, page }, now),
  }),
  listLeaders: endpoint({
    route: "GET /api/v1/scores/leaders",
    summary: "Lists the leaders, and the viewer's own score at any rank",
    notes: seasonNotes,
    who: "viewer",
    query: leadersQuery.entries,
    answer: leadersAnswer,
    etag: true,
    reads: { part: "leaders", by: "sessionId" },
    handle: async (deps, { context, viewer, query }) =>
      (await context.knownLeaders?.(query)) ?? listLeaders(deps, viewer, query),
  }),
  recomputeScores: endpoint({
    route: "PUT /api/v1/scores/recompute",
    summary: "Recomputes the scores from the calls and repairs those that differ",
    notes: "With `session_id`: only the scores of that session and the overall scores of its players.",
    who: "admin",
    query: recomputeQuery.entries,
    rate: rates.recompute,
    answer: recomputeAnswer,
    handle: (deps, { viewer, query }) => recomputeScores(deps, { actor: viewer, ...query }),
  }),
  listExclusions: endpoint({
    route: "GET /api/v1/scores/exclusions",
    summary: "Lists the players who are excluded from leaderboards, newest first",
    notes: "With `session_id`: only those who are excluded in that session. Without it: all.",
    who: "host",
    session: "query",
    query: exclusionsQuery.entries,
    paged: true,
    newestFirst: true,
    answer: exclusionsAnswer,
    handle: (deps, { query, page, now }) => listExclusions(deps.pool.db, { query, page }, now),
  }),
  excludePlayer: endpoint({
    route: "POST /api/v1/scores/exclusions",
    summary: "Excludes a player from the leaderboard",
    notes:
      "With `session_id`: from that session's leaderboard. Without it: from all of them. Calls, money and the player's score are not affected. The player can read the reason.",
    who: "host",
    session: "body",
    body: { exclusion: excludeBody },
    answer: exclusionAnswer,
    creates: true,
    handle: (deps, { viewer, body, keyed }) =>
      excludePlayer(deps, { actor: viewer, ...body.exclusion }, keyed),
  }),
  readmitPlayer: endpoint({
    route: "DELETE /api/v1/scores/exclusions/:id",
    summary: "Restores an excluded player to the leaderboard",
    who: "host",
    session: "exclusion",
    handle: (deps, { viewer, params }) => restorePlayer(deps, { actor: viewer, exclusionId: params.id }),
  }),
};
