import type { Deps } from "#src/base/deps.ts";
import { serveEndpoints } from "#src/people/sign-ins/serve-endpoints.ts";
import { chooseTeam, movePlayer } from "./choose-team.ts";
import { teamsEndpoints } from "./endpoints.ts";
import { showTeams } from "./find-teams.ts";

export function teamsRoutes(deps: Deps) {
  return serveEndpoints(teamsEndpoints, {
    showTeams: ({ viewer, query }) => showTeams(deps, viewer, query.sessionId),
    chooseTeam: ({ viewer, params, body }) => chooseTeam(deps, { slugOrId: params.id, ...body.team, viewer }),
    movePlayer: ({ viewer: actor, params: { id: slugOrId, userId }, body }) =>
      movePlayer(deps, { slugOrId, userId, ...body.team, actor }),
  });
}
