import { endpoint } from "#src/people/sign-ins/serve-endpoints.ts";
import { findPlayers } from "./find-players.ts";
import { healthAnswer, healthQuery, playersAnswer, playersQuery } from "./schemas.ts";
import { showHealth } from "./show-health.ts";

/** `:id` is a slug or an id. */
const slugOrId = { id: "text" } as const;

export const healthEndpoints = {
  showHealth: endpoint({
    route: "GET /api/v1/sessions/:id/health",
    summary: "Shows what a session runs on, and how the calls of an event arrive",
    notes:
      "Answers while Redis is away too. `pace` is about the event `event_id`; without it, about the open event, else about the one that closed last. `late` compares the money of the last second before the close with the session's own earlier events.",
    who: "host",
    session: "id",
    params: slugOrId,
    query: healthQuery.entries,
    answer: healthAnswer,
    handle: async (deps, { context: { hub }, params, query: { eventId = null }, now }) => ({
      health: await showHealth(deps, hub, { slugOrId: params.id, eventId }),
      meta: { serverTime: now.toISOString() },
    }),
  }),
  findPlayers: endpoint({
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
    handle: async (deps, { params, viewer, query: { search }, now }) => ({
      players: await findPlayers(deps.pool.db, { slugOrId: params.id, search, viewer }),
      meta: { serverTime: now.toISOString() },
    }),
  }),
};
