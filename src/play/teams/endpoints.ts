import { endpoint } from "#src/people/sign-ins/serve-endpoints.ts";
import { forHosts, slugOrId } from "#src/play/session-endpoints.ts";
import { chooseTeam, movePlayer } from "./choose-team.ts";
import { showTeams } from "./find-teams.ts";
import { chooseTeamBody, teamAnswer, teamsAnswer, teamsQuery } from "./schemas.ts";

const refusals = {
  invalid: "There is no such team, the session is over, or the player has not joined.",
} as const;

/** The teams of a session, and who is in which. Their names are in the settings of the session. */
export const teamsEndpoints = {
  showTeams: endpoint({
    route: "GET /api/v1/scores/teams",
    summary: "Lists the teams of a session by their scores, and the viewer's own team",
    notes:
      "A score is what the players of a team have won and lost together, divided by their number and five, as if five more players who won nothing were in each team. Only players with a result who are on the leaderboard count.",
    who: "viewer",
    query: teamsQuery.entries,
    answer: teamsAnswer,
    etag: true,
    handle: (deps, { viewer, query }) => showTeams(deps, viewer, query.sessionId),
  }),
  chooseTeam: endpoint({
    route: "PUT /api/v1/sessions/:id/team",
    summary: "Puts the viewer into a team of a session, and registers them if they have not joined",
    notes:
      "Who chooses none is put into the smallest team by the first call, or by joining. The team can be changed until the first result.",
    who: "viewer",
    params: slugOrId,
    body: { team: chooseTeamBody },
    answer: teamAnswer,
    refusals: {
      ...refusals,
      team_fixed: "The viewer has a result already. A host can move them.",
    },
    handle: (deps, { viewer, params, body }) =>
      chooseTeam(deps, { slugOrId: params.id, ...body.team, viewer }),
  }),
  movePlayer: endpoint({
    ...forHosts,
    route: "PUT /api/v1/sessions/:id/players/:userId/team",
    summary: "Moves a player of a session into a team",
    token: "run",
    body: { team: chooseTeamBody },
    answer: teamAnswer,
    refusals,
    handle: (deps, { viewer: actor, params: { id: slugOrId, userId }, body }) =>
      movePlayer(deps, { slugOrId, userId, ...body.team, actor }),
  }),
};
