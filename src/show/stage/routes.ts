import type { Deps } from "#src/base/deps.ts";
import { serveEndpoints } from "#src/people/sign-ins/serve-endpoints.ts";
import { noteKnownHere } from "#src/show/join-codes/join-code.ts";
import { showSession } from "#src/show/sessions/find-session-views.ts";
import { requireSession } from "#src/show/sessions/find-session.ts";
import { requireWatcher } from "#src/show/sessions/require-watcher.ts";
import { stageEndpoints } from "./endpoints.ts";
import { showStage } from "./show-stage.ts";
import { presentStageLink, renewStageLink, showLeaders } from "./stage-link.ts";

export function stageRoutes(deps: Deps) {
  const { db } = deps.pool;
  return serveEndpoints(stageEndpoints, {
    showStage: async ({ params, query: { key = "" }, authentication }) => {
      await requireWatcher(deps, authentication, { slugOrId: params.id, key });
      const stage = await showStage(deps, params.id);
      await noteKnownHere(deps, authentication.address, stage.joinCode);
      return stage;
    },
    showLeaders: async ({ params, viewer, body }) => {
      const { id } = await showLeaders(deps, { sessionId: params.id, actor: viewer, ...body.leaders });
      return showSession(deps, id, viewer);
    },
    showStageLink: async ({ params }) => presentStageLink(deps.env, await requireSession(db, params.id)),
    renewStageLink: async ({ params, viewer }) =>
      presentStageLink(deps.env, await renewStageLink(deps, { sessionId: params.id, actor: viewer })),
  });
}
