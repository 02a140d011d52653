import type { Endpoints } from "#src/http/endpoint.ts";
import { rates } from "#src/http/rates.ts";
import { accessTokensAnswer, newAccessTokenAnswer, newAccessTokenBody } from "./schemas.ts";

/** The access tokens of an admin. Only their owner sees and revokes them, and no token can make another one. */
export const accessTokensEndpoints = {
  listAccessTokens: {
    route: "GET /api/v1/users/me/access_tokens",
    summary: "Lists the admin's own access tokens that are valid",
    who: "admin",
    token: "none",
    answer: accessTokensAnswer,
  },
  makeAccessToken: {
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
  },
  revokeAccessToken: {
    route: "DELETE /api/v1/users/me/access_tokens/:id",
    summary: "Revokes an access token",
    notes: "It is refused from this answer on.",
    who: "admin",
  },
} as const satisfies Endpoints;
