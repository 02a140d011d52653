import { CSRF_HEADER } from "#src/http/contract.ts";
import { forged, isTokenOf, unproven } from "#src/http/csrf.ts";
import { isSameOrigin } from "#src/http/origin.ts";
import {
  isDashboardPath,
  isPageRequest,
  isSafeMethod,
  isSignedPath,
  isUploadPath,
  pathOf,
} from "#src/http/page-request.ts";
import type { Env } from "#src/settings/env.ts";
import type { Authentication } from "./authenticate.ts";

/**
 * Refuses an unsafe request that does not come from one of our own pages: one from another origin, or without a valid
 * anti-forgery token. A form carries its token in its body, which is checked later: see verifyToken.
 */
export function refuseForgery(env: Env, request: Request, authentication: Authentication): void {
  // No page of another site can send an access token.
  if (authentication.token !== null) return;
  const path = pathOf(request);
  if (isSafeMethod(request) || isSignedPath(path) || isUploadPath(path)) return;
  // dashboardGuard has a stricter check of its own.
  if (isDashboardPath(path)) return;
  if (!isSameOrigin(request, env.publicUrl)) throw forged();
  if (isPageRequest(request)) return;
  verifyToken(request, authentication, request.headers.get(CSRF_HEADER));
}

/** Refuses a request without a valid anti-forgery token: 422. For a form it is called before the form is parsed. */
export function verifyToken(request: Request, { csrfSecret }: Authentication, token: string | null): void {
  if (!isTokenOf(csrfSecret, token)) throw unproven(request, token);
}
