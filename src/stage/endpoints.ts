import type { Endpoints } from "#src/http/endpoint.ts";
import { stageAnswer } from "./schemas.ts";

/** The big screen of a session, for a projector or a stream. */
export const stageEndpoints = {
  showStage: {
    method: "GET",
    path: "/api/v1/sessions/:id/stage",
    summary: "Shows the first three, the newest chat messages and the join link, for a big screen",
    who: "watcher",
    params: { id: "text" },
    answer: stageAnswer,
    etag: true,
  },
} as const satisfies Endpoints;
