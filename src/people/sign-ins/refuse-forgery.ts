import { CSRF_HEADER } from "#src/http/contract.ts";
import { forged, isSameOrigin, isTokenOf, unproven } from "#src/http/csrf.ts";
import type { Env } from "#src/settings/env.ts";
import type { Authentication } from "./authenticate.ts";

/**
 * What proves that a change comes from one of our own pages. `header`: the anti-forgery token in a header. `form`: the one in the body,
 * which is checked when the form is read (verifyToken). `other`: what answers the request has a check of its own, such as a signature.
 */
export type Proof = "header" | "form" | "other";

/** Refuses a change that does not come from one of our own pages: one from another origin, or without a valid token. */
export function refuseForgery(
  env: Env,
  request: Request,
  { authentication, proof = "header" }: { authentication: Authentication; proof: Proof | undefined },
): void {
  // No page of another site can send an access token.
  if (authentication.token !== null || proof === "other") return;
  if (!isSameOrigin(request, env.publicUrl)) throw forged();
  if (proof === "header") verifyToken(request, authentication, request.headers.get(CSRF_HEADER));
}

/** Refuses a request without a valid anti-forgery token: 422. For a form it is called before the form is parsed. */
export function verifyToken(request: Request, { csrfSecret }: Authentication, token: string | null): void {
  if (!isTokenOf(csrfSecret, token)) throw unproven(request, token);
}
