import type { Endpoints } from "#src/http/endpoint.ts";
import { healthAnswer, healthQuery, playersAnswer, playersQuery } from "./schemas.ts";

/** `:id` is a slug or an id. */
const slugOrId = { id: "text" } as const;

/** What the host of a session watches. */
export const healthEndpoints = {
  showHealth: {
    route: "GET /api/v1/sessions/:id/health",
    summary: "Shows what a session runs on, and how the calls of an event arrive",
    notes:
      "Answers while Redis is away too. `pace` is about the event `event_id`; without it, about the open event, else about the one that closed last. `late` compares the money of the last second before the close with the session's own earlier events.",
    who: "host",
    session: "id",
    params: slugOrId,
    query: healthQuery.entries,
    answer: healthAnswer,
  },
  findPlayers: {
    route: "GET /api/v1/sessions/:id/players",
    summary:
      "Finds players by a part of their name or email, with their wallet and their newest calls in a session",
    notes:
      "Hosts of the session find those who have joined it, by a part of the name and without the wallet.",
    who: "host",
    session: "id",
    params: slugOrId,
    query: playersQuery.entries,
    answer: playersAnswer,
  },
} as const satisfies Endpoints;
