import type { Deps } from "#src/base/deps.ts";
import { serveEndpoints } from "#src/people/sign-ins/serve-endpoints.ts";
import { presentViewer } from "#src/people/sign-ins/viewer.ts";
import { requireSession } from "#src/show/sessions/find-session.ts";
import { joinCodesEndpoints } from "./endpoints.ts";
import { findCodedSession, renewJoinCode, showJoinCode } from "./join-code.ts";
import { joinWith } from "./join-session.ts";
import { findWaves, removePlayer, removeWave, restoreWave } from "./remove-player.ts";

export function joinCodesRoutes(deps: Deps) {
  const { db } = deps.pool;
  return serveEndpoints(joinCodesEndpoints, {
    showCodedSession: async ({ params, query, authentication }) => ({
      session: await findCodedSession(deps, { ...params, ...query }, authentication),
    }),
    joinSession: async ({ context, authentication, body: { join }, keyed, set }) => {
      const { session, viewer, created } = await joinWith(deps, { context, authentication, join, keyed });
      if (!created) set.status = 200;
      return { session, user: presentViewer(viewer) };
    },
    showJoinCode: async ({ params, authentication }) =>
      showJoinCode(deps, await requireSession(db, params.id), authentication),
    renewJoinCode: async ({ params, viewer, authentication }) => {
      const renewed = await renewJoinCode(deps, { sessionId: params.id, actor: viewer });
      return showJoinCode(deps, renewed, authentication);
    },
    listWaves: ({ params, now }) => findWaves(deps, params.id, now),
    removeWave: async ({ params, viewer, query: { until } }) => {
      await removeWave(deps, { sessionId: params.id, actor: viewer, network: params.wave, until });
    },
    restoreWave: async ({ params, viewer }) => ({
      wave: await restoreWave(deps, { sessionId: params.id, actor: viewer, wave: params.wave }),
    }),
    removePlayer: ({ params: { id: sessionId, userId }, viewer, query }) =>
      removePlayer(deps, { sessionId, userId, actor: viewer, renewsCode: query.renewCode === "true" }),
  });
}
