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
  recomputeScores: {
    method: "PUT",
    path: "/api/v1/scores/recompute",
    summary: "Counts the scores anew from the calls, and mends what differs",
    notes: "With `session_id` those of one session and the overall scores of its players.",
    who: "admin",
    query: recomputeQuery.entries,
    rate: rates.recompute,
    answer: recomputeAnswer,
  },
  listExclusions: {
    method: "GET",
    path: "/api/v1/scores/exclusions",
    summary: "Lists the players who are not ranked, newest first",
    notes: "With `session_id` those who are missing in that session; else all.",
    who: "admin",
    query: exclusionsQuery.entries,
    paged: true,
    answer: exclusionsAnswer,
  },
  excludePlayer: {
    method: "POST",
    path: "/api/v1/scores/exclusions",
    summary: "Takes a player out of the leaders and ranks",
    notes:
      "Of one session with `session_id`, else of every table. Calls, money and the counting of scores go on; the player reads the reason.",
    who: "admin",
    body: { exclusion: excludeBody },
    answer: exclusionAnswer,
    status: 201,
  },
  readmitPlayer: {
    method: "DELETE",
    path: "/api/v1/scores/exclusions/:id",
    summary: "Ranks an excluded player again",
    who: "admin",
  },
} as const satisfies Endpoints;
