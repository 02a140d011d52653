import type { Endpoints } from "#src/http/endpoint.ts";
import { leadersAnswer, leadersQuery, scoresAnswer, scoresQuery } from "./contract.ts";

/** Who has won and lost how many events, in one session or in all of them. */
export const leaderboardEndpoints = {
  listScores: {
    method: "GET",
    path: "/api/v1/scores",
    summary: "Lists the scores of all players, by rank",
    who: "viewer",
    query: scoresQuery.entries,
    paged: true,
    answer: scoresAnswer,
    etag: true,
  },
  listLeaders: {
    method: "GET",
    path: "/api/v1/scores/leaders",
    summary: "Lists the leaders, and one's own score wherever it stands",
    who: "viewer",
    query: leadersQuery.entries,
    answer: leadersAnswer,
    etag: true,
  },
} as const satisfies Endpoints;
