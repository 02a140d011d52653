import type { Deps } from "#src/base/deps.ts";
import { serveEndpoints } from "#src/people/sign-ins/serve-endpoints.ts";
import { showSeason } from "#src/play/seasons/show-season.ts";
import { createShare } from "./create-share.ts";
import { sharesEndpoints } from "./endpoints.ts";
import { findShared } from "./find-shared.ts";
import { previewScene, sceneOf, seasonScene } from "./lay-out-scene.ts";
import { findShareView, listShares } from "./list-shares.ts";
import { showPicture, showSessionPreview, showSharedPicture } from "./show-picture.ts";
import { orderPicture } from "./store-picture.ts";
import { revokeShare, updateShare } from "./update-share.ts";

export function sharesRoutes(deps: Deps) {
  const { db } = deps.pool;
  return serveEndpoints(sharesEndpoints, {
    listShares: ({ viewer, page, now }) => listShares(deps, { viewer, page }, now),
    createShare: async ({ viewer, body, keyed, now, set }) => {
      const { shareId, repeated } = await createShare(db, { viewer, ...body.share }, now, keyed);
      orderPicture(deps, shareId);
      if (repeated) set.status = 200;
      return { share: await findShareView(deps, { viewer, shareId }) };
    },
    updateShare: async ({ viewer, params, body }) => {
      await updateShare(db, { viewer, shareId: params.id, ...body.share });
      return { share: await findShareView(deps, { viewer, shareId: params.id }) };
    },
    revokeShare: ({ viewer, params }) => revokeShare(db, { viewer, shareId: params.id }),
    showShared: async ({ params, now }) => ({ shared: await findShared(deps, params.token, now) }),
    showSharedPicture: async ({ params: { token }, request, now }) =>
      showSharedPicture(deps, { token, scene: sceneOf(await findShared(deps, token, now)) }, request),
    showSeasonPicture: async ({ params, request }) =>
      showPicture(request, seasonScene(await showSeason(deps, params.id))),
    showSessionPreview: ({ params, request }) => showSessionPreview(deps, params.id, request),
    showPreview: ({ request }) => showPicture(request, previewScene()),
  });
}
