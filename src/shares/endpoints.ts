import { rates } from "#src/http/rates.ts";
import { endpoint } from "#src/people/sign-ins/serve-endpoints.ts";
import { showSeason } from "#src/play/seasons/show-season.ts";
import { createShare } from "./create-share.ts";
import { findShared } from "./find-shared.ts";
import { previewScene, sceneOf, seasonScene } from "./lay-out-scene.ts";
import { findShareView, listShares } from "./list-shares.ts";
import { createShareBody, shareAnswer, sharedAnswer, sharesAnswer, updateShareBody } from "./schemas.ts";
import { showPicture, showSessionPreview, showSharedPicture } from "./show-picture.ts";
import { orderPicture } from "./store-picture.ts";
import { revokeShare, updateShare } from "./update-share.ts";

/*
 * Nothing of a player is public before the player shares it, except on the podium of a season. Everybody who has a link reads what it shows, until it expires or
 * its owner revokes it. An unknown, an expired and a revoked link get the same 404.
 */

/** Links by which players show a call, a result, their session or their records. The podium of a season has a picture, too. */
export const sharesEndpoints = {
  listShares: endpoint({
    route: "GET /api/v1/shares",
    summary: "Lists the viewer's own links that are not revoked, newest first",
    who: "viewer",
    token: "none",
    paged: true,
    newestFirst: true,
    answer: sharesAnswer,
    handle: (deps, { viewer, page, now }) => listShares(deps, { viewer, page }, now),
  }),
  createShare: endpoint({
    route: "POST /api/v1/shares",
    summary: "Makes a link that shows a call, a result, the viewer's session or the viewer's records",
    notes: "What has a live link already keeps it.",
    who: "viewer",
    body: { share: createShareBody },
    answer: shareAnswer,
    creates: true,
    repeatedStatus: 200,
    rate: rates.share,
    refusals: {
      cancelled: "The player has cancelled the call.",
      no_result: "The call has no result yet.",
      not_over: "The session is not over yet.",
      no_calls: "The player has no call with a result in the session.",
      no_records: "The player has not been right yet.",
      too_many_shares: "The player has 100 live links.",
    },
    handle: async (deps, { viewer, body, keyed, now, set }) => {
      const { shareId, repeated } = await createShare(deps.pool.db, { viewer, ...body.share }, now, keyed);
      orderPicture(deps, shareId);
      if (repeated) set.status = 200;
      return { share: await findShareView(deps, { viewer, shareId }) };
    },
  }),
  updateShare: endpoint({
    route: "PATCH /api/v1/shares/:id",
    summary: "Sets when a link expires",
    who: "viewer",
    body: { share: updateShareBody },
    answer: shareAnswer,
    handle: async (deps, { viewer, params, body }) => {
      await updateShare(deps.pool.db, { viewer, shareId: params.id, ...body.share });
      return { share: await findShareView(deps, { viewer, shareId: params.id }) };
    },
  }),
  revokeShare: endpoint({
    route: "DELETE /api/v1/shares/:id",
    summary: "Revokes a link",
    who: "viewer",
    handle: (deps, { viewer, params }) => revokeShare(deps.pool.db, { viewer, shareId: params.id }),
  }),
  showShared: endpoint({
    route: "GET /api/v1/shared/:token",
    summary: "Shows what a link shows",
    who: "public",
    skipsSignIn: true,
    params: { token: "text" },
    answer: sharedAnswer,
    handle: async (deps, { params, now }) => ({ shared: await findShared(deps, params.token, now) }),
  }),
  showSharedPicture: endpoint({
    route: "GET /api/v1/shared/:token/picture.png",
    summary: "Serves the picture of a link",
    notes: "A picture that is not drawn within 10 s: 503 with Retry-After.",
    who: "public",
    skipsSignIn: true,
    params: { token: "text" },
    answer: "file",
    etag: true,
    handle: async (deps, { params: { token }, request, now }) =>
      showSharedPicture(deps, { token, scene: sceneOf(await findShared(deps, token, now)) }, request),
  }),
  showSeasonPicture: endpoint({
    route: "GET /api/v1/seasons/:id/picture.png",
    summary: "Serves the picture of a season: its podium when it has ended",
    who: "public",
    params: { id: "text" },
    answer: "file",
    etag: true,
    handle: async (deps, { params, request }) =>
      showPicture(request, seasonScene(await showSeason(deps, params.id))),
  }),
  showSessionPreview: endpoint({
    route: "GET /api/v1/sessions/:id/preview.png",
    summary: "Serves the picture of a session's own pages: with its brand, if it has one",
    who: "public",
    skipsSignIn: true,
    params: { id: "text" },
    answer: "file",
    etag: true,
    handle: (deps, { params, request }) => showSessionPreview(deps, params.id, request),
  }),
  showPreview: endpoint({
    route: "GET /api/v1/preview.png",
    summary: "Serves the picture of all pages that have none of their own",
    who: "public",
    skipsSignIn: true,
    answer: "file",
    etag: true,
    handle: (_deps, { request }) => showPicture(request, previewScene()),
  }),
};
