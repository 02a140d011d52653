import { endpoint } from "#src/people/sign-ins/serve-endpoints.ts";
import { forHosts, slugOrId } from "#src/play/session-endpoints.ts";
import { noteKnownHere } from "#src/show/join-codes/join-code.ts";
import { showSession } from "#src/show/sessions/find-session-views.ts";
import { requireSession } from "#src/show/sessions/find-session.ts";
import { requireWatcher } from "#src/show/sessions/require-watcher.ts";
import { sessionAnswer, stageQuery } from "#src/show/sessions/schemas.ts";
import { showLeadersBody, stageAnswer, stageLinkAnswer } from "./schemas.ts";
import { showStage } from "./show-stage.ts";
import { presentStageLink, renewStageLink, showLeaders } from "./stage-link.ts";

/** The big screen of a session, for a projector or a stream, and the link by which its host opens it elsewhere. */
export const stageEndpoints = {
  showStage: endpoint({
    route: "GET /api/v1/sessions/:id/stage",
    summary: "Shows who has come, the leaders, the last result, the chat and the join link, for a big screen",
    notes:
      "For everybody from the activation until 24 hours after the stop, and at any time with the `key` of the stage link.",
    who: "watcher",
    params: slugOrId,
    query: stageQuery.entries,
    answer: stageAnswer,
    etag: true,
    handle: async (deps, { params, query: { key = "" }, authentication }) => {
      await requireWatcher(deps, authentication, { slugOrId: params.id, key });
      const stage = await showStage(deps, params.id);
      await noteKnownHere(deps, authentication.address, stage.joinCode);
      return stage;
    },
  }),
  showLeaders: endpoint({
    ...forHosts,
    route: "PUT /api/v1/sessions/:id/stage_leaders",
    summary: "Shows the leaders on the big screen now, or what is on again",
    notes:
      "With `shown: true` the leaders are on until a question is about to open, or a result is decided or corrected. An open question is never covered.",
    token: "run",
    body: { leaders: showLeadersBody },
    answer: sessionAnswer,
    handle: async (deps, { params, viewer, body }) => {
      const { id } = await showLeaders(deps, { sessionId: params.id, actor: viewer, ...body.leaders });
      return showSession(deps, id, viewer);
    },
  }),
  showStageLink: endpoint({
    ...forHosts,
    route: "GET /api/v1/sessions/:id/stage_link",
    summary: "Shows the stage link: who has it sees the big screen before, during and after the show",
    token: "none",
    answer: stageLinkAnswer,
    handle: async (deps, { params }) =>
      presentStageLink(deps.env, await requireSession(deps.pool.db, params.id)),
  }),
  renewStageLink: endpoint({
    ...forHosts,
    route: "PUT /api/v1/sessions/:id/stage_link",
    summary: "Makes a new stage link, and ends the one before",
    answer: stageLinkAnswer,
    handle: async (deps, { params, viewer }) =>
      presentStageLink(deps.env, await renewStageLink(deps, { sessionId: params.id, actor: viewer })),
  }),
};
