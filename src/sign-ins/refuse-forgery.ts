import { CSRF_HEADER, CSRF_PARAM } from "#src/http/contract.ts";
import { forged, isTokenOf } from "#src/http/csrf.ts";
import { comesFromUs } from "#src/http/origin.ts";
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
 * Refuses an unsafe request that does not come from a page of ours: a foreign origin, or no anti-forgery token of this
 * visit. A page's form carries its token inside, which is read later: see verifyForm.
 */
export function refuseForgery(env: Env, request: Request, visit: Authentication): void {
  const path = pathOf(request);
  if (isSafeMethod(request) || isSignedPath(path) || isUploadPath(path)) return;
  // Its door asks for itself, and more strictly.
  if (isDashboardPath(path)) return;
  if (!comesFromUs(request, env.publicUrl)) throw forged();
  if (isPageRequest(request)) return;
  if (!isTokenOf(visit.csrfSecret, request.headers.get(CSRF_HEADER))) throw forged();
}

/** Refuses a form that does not carry an anti-forgery token of this visit: 422. Every action of a page calls it first. */
export function verifyForm(visit: Authentication, form: FormData): void {
  const token = form.get(CSRF_PARAM);
  if (!isTokenOf(visit.csrfSecret, typeof token === "string" ? token : null)) throw forged();
}
