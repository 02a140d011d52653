import type { Deps } from "#src/base/deps.ts";
import { signedIn } from "#src/people/passkeys/signed-in.ts";
import { serveEndpoints } from "#src/people/sign-ins/serve-endpoints.ts";
import { accessTokensEndpoints } from "./endpoints.ts";
import { listAccessTokens, makeAccessToken, revokeAccessToken } from "./make-access-token.ts";

export function accessTokensRoutes(deps: Deps) {
  return serveEndpoints(accessTokensEndpoints, {
    listAccessTokens: ({ viewer, authentication }) =>
      listAccessTokens(deps, signedIn(viewer, authentication)),
    makeAccessToken: ({ viewer, authentication, body, keyed }) =>
      makeAccessToken(deps, signedIn(viewer, authentication), body.accessToken, keyed),
    revokeAccessToken: ({ viewer, params }) => revokeAccessToken(deps, { viewer, id: params.id }),
  });
}
