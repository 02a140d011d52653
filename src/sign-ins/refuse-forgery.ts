import { CSRF_HEADER, CSRF_PARAM } from "#src/http/contract.ts";
import { forged, isTokenOf } from "#src/http/csrf.ts";
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
 * anti-forgery token. A form carries its token in its body, which is checked later: see verifyForm.
 */
export function refuseForgery(env: Env, request: Request, authentication: Authentication): void {
  const path = pathOf(request);
  if (isSafeMethod(request) || isSignedPath(path) || isUploadPath(path)) return;
  // dashboardGuard has a stricter check of its own.
  if (isDashboardPath(path)) return;
  if (!isSameOrigin(request, env.publicUrl)) throw forged();
  if (isPageRequest(request)) return;
  if (!isTokenOf(authentication.csrfSecret, request.headers.get(CSRF_HEADER))) throw forged();
}

/** Refuses a form without a valid anti-forgery token: 422. Every action of a page calls this first. */
export function verifyForm(authentication: Authentication, form: FormData): void {
  const token = form.get(CSRF_PARAM);
  if (!isTokenOf(authentication.csrfSecret, typeof token === "string" ? token : null)) throw forged();
}
