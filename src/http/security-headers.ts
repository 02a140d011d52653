import type { Env } from "#src/settings/env.ts";
import type { RequestContext } from "./request-context.ts";

const HSTS = "max-age=63072000; includeSubDomains";
/** For answers that are not pages: they may load and run nothing. */
const dataPolicy = "default-src 'none'; frame-ancestors 'none'";

/** Sets the headers that every answer carries: security policies, caching and the request id. */
export function setSecurityHeaders(
  headers: Headers,
  env: Pick<Env, "publicUrl" | "payments">,
  context: RequestContext,
): void {
  const isPage = headers.get("content-type")?.startsWith("text/html") ?? false;
  // The queue dashboard sets a policy of its own.
  if (!headers.has("content-security-policy")) {
    headers.set("content-security-policy", isPage ? pagePolicy(env, context.nonce) : dataPolicy);
  }
  headers.set("x-content-type-options", "nosniff");
  // Links in mails carry secrets in their query, so the address is never sent to another site.
  headers.set("referrer-policy", "same-origin");
  headers.set("x-frame-options", "DENY");
  headers.set("cross-origin-opener-policy", "same-origin");
  headers.set("permissions-policy", "camera=(), geolocation=(), microphone=(), payment=()");
  headers.set("x-request-id", context.requestId);
  if (env.publicUrl.startsWith("https:")) headers.set("strict-transport-security", HSTS);
  if (!headers.has("cache-control")) headers.set("cache-control", "no-store");
}

/**
 * The content security policy of a page: it may load its own files, and run scripts and styles that carry this answer's
 * nonce. Style attributes are allowed for widths and positions: they cannot load or run anything.
 */
function pagePolicy({ publicUrl, payments }: Pick<Env, "publicUrl" | "payments">, nonce: string): string {
  const sockets = new URL(publicUrl).origin.replace(/^http/, "ws");
  return [
    "default-src 'self'",
    `script-src 'self' 'nonce-${nonce}'`,
    `style-src 'self' 'nonce-${nonce}'`,
    "style-src-attr 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "font-src 'self'",
    `connect-src 'self' ${sockets}`,
    // The payment form redirects to Stripe.
    payments.provider === "stripe" ? "form-action 'self' https://checkout.stripe.com" : "form-action 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join("; ");
}
