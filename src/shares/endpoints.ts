import type { Endpoints } from "#src/http/endpoint.ts";
import { rates } from "#src/http/rates.ts";
import { createShareBody, shareAnswer, sharedAnswer, sharesAnswer, updateShareBody } from "./schemas.ts";

/*
 * Nothing of a player is public before the player shares it, except on the podium of a season. Everybody who has a link reads what it shows, until it expires or
 * its owner revokes it. An unknown, an expired and a revoked link get the same 404.
 */

/** Links by which players show a call, a result, their session or their records. The podium of a season has a picture, too. */
export const sharesEndpoints = {
  listShares: {
    route: "GET /api/v1/shares",
    summary: "Lists the viewer's own links that are not revoked, newest first",
    who: "viewer",
    token: "none",
    paged: true,
    newestFirst: true,
    answer: sharesAnswer,
  },
  createShare: {
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
  },
  updateShare: {
    route: "PATCH /api/v1/shares/:id",
    summary: "Sets when a link expires",
    who: "viewer",
    body: { share: updateShareBody },
    answer: shareAnswer,
  },
  revokeShare: {
    route: "DELETE /api/v1/shares/:id",
    summary: "Revokes a link",
    who: "viewer",
  },
  showShared: {
    route: "GET /api/v1/shared/:token",
    summary: "Shows what a link shows",
    who: "public",
    skipsSignIn: true,
    params: { token: "text" },
    answer: sharedAnswer,
  },
  showSharedPicture: {
    route: "GET /api/v1/shared/:token/picture.png",
    summary: "Serves the picture of a link",
    notes: "A picture that is not drawn within 10 s: 503 with Retry-After.",
    who: "public",
    skipsSignIn: true,
    params: { token: "text" },
    answer: "file",
    etag: true,
  },
  showSeasonPicture: {
    route: "GET /api/v1/seasons/:id/picture.png",
    summary: "Serves the picture of a season: its podium when it has ended",
    who: "public",
    params: { id: "text" },
    answer: "file",
    etag: true,
  },
  showSessionPreview: {
    route: "GET /api/v1/sessions/:id/preview.png",
    summary: "Serves the picture of a session's own pages: with its brand, if it has one",
    who: "public",
    skipsSignIn: true,
    params: { id: "text" },
    answer: "file",
    etag: true,
  },
  showPreview: {
    route: "GET /api/v1/preview.png",
    summary: "Serves the picture of all pages that have none of their own",
    who: "public",
    skipsSignIn: true,
    answer: "file",
    etag: true,
  },
} as const satisfies Endpoints;
