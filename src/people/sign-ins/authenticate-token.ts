import type { Deps } from "#src/base/deps.ts";
import { Refusal } from "#src/base/refusal.ts";
import { limitRate } from "#src/http/rate-limit.ts";
import { rates } from "#src/http/rates.ts";
import { hashAccessToken, isAccessTokenSecret } from "./access-token-secret.ts";
import { type AccessToken, findAccessToken, type TokenProblem } from "./find-access-token.ts";
import type { Viewer } from "./viewer.ts";

const details: Record<TokenProblem, string> = {
  unknown: "No such token exists. Send it as it was shown: Authorization: Bearer ci_...",
  revoked: "It was revoked. Make another one on your profile, under Tokens.",
  expired: "It has expired. Make another one on your profile, under Tokens.",
  owner: "Its owner is not an admin any more, or cannot sign in at the moment.",
};

/**
 * Authenticates a program by its access token.
 * @param secret what the request has after `Bearer`.
 * @param address the client's, whose refused tokens are counted.
 * @throws Refusal 401 for a token that is unknown, expired or revoked, or whose owner is no admin now; 429 after too many of them.
 */
export async function authenticateToken(
  deps: Deps,
  secret: string,
  address: string,
): Promise<{ viewer: Viewer; token: AccessToken }> {
  const found = isAccessTokenSecret(secret) ? await findAccessToken(deps, hashAccessToken(secret)) : null;
  if (found !== null && found.problem === null) return found;
  await limitRate(deps, rates.refusedToken, { address, viewer: null });
  throw tokenRefused(details[found?.problem ?? "unknown"]);
}

function tokenRefused(detail: string): Refusal {
  return new Refusal(401, "invalid_token", "This access token is not valid.", {
    detail,
    challenge: `Bearer realm="Called It", error="invalid_token"`,
  });
}
