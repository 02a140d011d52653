import { rates } from "#src/http/rates.ts";
import { signedIn } from "#src/people/passkeys/signed-in.ts";
import { endpoint } from "#src/people/sign-ins/serve-endpoints.ts";
import { listAccessTokens, makeAccessToken, revokeAccessToken } from "./make-access-token.ts";
import { accessTokensAnswer, newAccessTokenAnswer, newAccessTokenBody } from "./schemas.ts";

/** The access tokens of an admin. Only their owner sees and revokes them, and no token can make another one. */
export const accessTokensEndpoints = {
  listAccessTokens: endpoint({
    route: "GET /api/v1/users/me/access_tokens",
    summary: "Lists the admin's own access tokens that are valid",
    who: "admin",
    token: "none",
    answer: accessTokensAnswer,
    handle: (deps, { viewer, authentication }) => listAccessTokens(deps, signedIn(viewer, authentication)),
  }),
  makeAccessToken: endpoint({
    route: "POST /api/v1/users/me/access_tokens",
    summary: "Makes an access token",
    notes:
      "`secret` is what programs send, and is in this answer only. Unless the sign-in was by passkey in the last 10 minutes, it needs `current_password`, or a `credential` that answers a challenge of `confirmation`.",
    who: "admin",
    rate: rates.changeAccount,
    body: { accessToken: newAccessTokenBody },
    answer: newAccessTokenAnswer,
    creates: true,
    refusals: { locked: { status: 403, when: "There were too many wrong passwords." } },
    handle: (deps, { viewer, authentication, body, keyed }) =>
      makeAccessToken(deps, signedIn(viewer, authentication), body.accessToken, keyed),
  }),
  revokeAccessToken: endpoint({
    route: "DELETE /api/v1/users/me/access_tokens/:id",
    summary: "Revokes an access token",
    notes: "It is refused from this answer on.",
    who: "admin",
    handle: (deps, { viewer, params }) => revokeAccessToken(deps, { viewer, id: params.id }),
  }),
};
