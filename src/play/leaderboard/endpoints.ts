import type { Endpoints } from "#src/http/endpoint.ts";
import { rates } from "#src/http/rates.ts";
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
  listScores: {
    route: "GET /api/v1/scores",
    summary: "Lists the scores of all players, by rank",
    notes: seasonNotes,
    who: "viewer",
    query: scoresQuery.entries,
    paged: true,
    answer: scoresAnswer,
    etag: true,
  },
  listLeaders: {
    route: "GET /api/v1/scores/leaders",
    summary: "Lists the leaders, and the viewer's own score at any rank",
    notes: seasonNotes,
    who: "viewer",
    query: leadersQuery.entries,
    answer: leadersAnswer,
    etag: true,
    reads: { part: "leaders", by: "sessionId" },
  },
  recomputeScores: {
    route: "PUT /api/v1/scores/recompute",
    summary: "Recomputes the scores from the calls and repairs those that differ",
    notes: "With `session_id`: only the scores of that session and the overall scores of its players.",
    who: "admin",
    query: recomputeQuery.entries,
    rate: rates.recompute,
    answer: recomputeAnswer,
  },
  listExclusions: {
    route: "GET /api/v1/scores/exclusions",
    summary: "Lists the players who are excluded from leaderboards, newest first",
    notes: "With `session_id`: only those who are excluded in that session. Without it: all.",
    who: "host",
    session: "query",
    query: exclusionsQuery.entries,
    paged: true,
    newestFirst: true,
    answer: exclusionsAnswer,
  },
  excludePlayer: {
    route: "POST /api/v1/scores/exclusions",
    summary: "Excludes a player from the leaderboard",
    notes:
      "With `session_id`: from that session's leaderboard. Without it: from all of them. Calls, money and the player's score are not affected. The player can read the reason.",
    who: "host",
    session: "body",
    body: { exclusion: excludeBody },
    answer: exclusionAnswer,
    creates: true,
  },
  readmitPlayer: {
    route: "DELETE /api/v1/scores/exclusions/:id",
    summary: "Restores an excluded player to the leaderboard",
    who: "host",
    session: "exclusion",
  },
} as const satisfies Endpoints;
