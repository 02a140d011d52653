import type { Deps } from "#src/base/deps.ts";
import { limitRate } from "#src/http/rate-limit.ts";
import { rates } from "#src/http/rates.ts";
import type { RequestContext } from "#src/http/request-context.ts";
import type { Authentication } from "./authenticate.ts";
import { requireScope } from "./token-scope.ts";

/**
 * Admits a program with an access token to the API, and to nothing else: no pages, sockets or dashboards. All other requests pass.
 * Which endpoints it may call is checked with their records (read-request.ts).
 * Refuses too many requests of one token (429), and what is outside the API (403).
 */
export async function admitToken(
  deps: Deps,
  { path }: RequestContext,
  authentication: Authentication,
): Promise<void> {
  const { token } = authentication;
  if (token === null) return;
  await limitRate(deps, rates.accessToken, authentication);
  if (!path.startsWith("/api/")) requireScope(token, null);
}
