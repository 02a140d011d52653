import type { Endpoints } from "#src/http/endpoint.ts";
import { sessionAnswer, stageQuery } from "#src/show/sessions/schemas.ts";
import { showLeadersBody, stageAnswer, stageLinkAnswer } from "./schemas.ts";

const slugOrId = { id: "text" } as const;

/** The big screen of a session, for a projector or a stream, and the link by which its host opens it elsewhere. */
export const stageEndpoints = {
  showStage: {
    route: "GET /api/v1/sessions/:id/stage",
    summary: "Shows who has come, the leaders, the last result, the chat and the join link, for a big screen",
    notes:
      "For everybody from the activation until 24 hours after the stop, and at any time with the `key` of the stage link.",
    who: "watcher",
    params: slugOrId,
    query: stageQuery.entries,
    answer: stageAnswer,
    etag: true,
  },
  showLeaders: {
    route: "PUT /api/v1/sessions/:id/stage_leaders",
    summary: "Shows the leaders on the big screen now, or what is on again",
    notes:
      "With `shown: true` the leaders are on until a question is about to open, or a result is decided or corrected. An open question is never covered.",
    who: "host",
    token: "run",
    session: "id",
    params: slugOrId,
    body: { leaders: showLeadersBody },
    answer: sessionAnswer,
  },
  showStageLink: {
    route: "GET /api/v1/sessions/:id/stage_link",
    summary: "Shows the stage link: who has it sees the big screen before, during and after the show",
    who: "host",
    token: "none",
    session: "id",
    params: slugOrId,
    answer: stageLinkAnswer,
  },
  renewStageLink: {
    route: "PUT /api/v1/sessions/:id/stage_link",
    summary: "Makes a new stage link, and ends the one before",
    who: "host",
    session: "id",
    params: slugOrId,
    answer: stageLinkAnswer,
  },
} as const satisfies Endpoints;
