import type { Env } from "#src/settings/env.ts";
import type { RequestContext } from "./request-context.ts";

const HSTS = "max-age=63072000; includeSubDomains";
/** For answers that are not pages: they may load and run nothing. */
const dataPolicy = "default-src 'none'; base-uri 'none'; frame-ancestors 'none'";

// Decision: only what moves no money and runs no show may be in a frame, so nobody can be led to press something there that they do not
// see. The record of a page's route says so (`framed`). Where FRAME_ORIGINS names nobody, no page may.
type HeaderEnv = Pick<Env, "publicUrl" | "payments" | "oidc" | "frameOrigins">;

/** Sets the headers that every answer carries: security policies, caching and the request id. */
export function setSecurityHeaders(headers: Headers, env: HeaderEnv, context: RequestContext): void {
  setPolicy(headers, env, context);
  headers.set("x-content-type-options", "nosniff");
  // Links in mails carry secrets in their query, so the address is never sent to another site.
  headers.set("referrer-policy", "same-origin");
  headers.set("cross-origin-opener-policy", "same-origin");
  headers.set("permissions-policy", "camera=(), geolocation=(), microphone=(), payment=()");
  headers.set("x-request-id", context.requestId);
  if (env.publicUrl.startsWith("https:")) headers.set("strict-transport-security", HSTS);
  // Otherwise "Back" shows the pages of the user who has signed out: browsers keep whole pages, also without JavaScript.
  // Only the cache: "cookies" would forget the device's settings, "storage" the service worker and what other tabs remember.
  if (context.clearsCache) headers.set("clear-site-data", '"cache"');
  if (context.closes) headers.set("connection", "close");
  if (!headers.has("cache-control")) headers.set("cache-control", "no-store");
}

/** What an answer may load, and who may have it in a frame. */
function setPolicy(headers: Headers, env: HeaderEnv, context: RequestContext): void {
  const isPage = headers.get("content-type")?.startsWith("text/html") ?? false;
  const framers = isPage && context.isFramed ? env.frameOrigins : [];
  // It knows no list of origins.
  if (framers.length === 0) headers.set("x-frame-options", "DENY");
  // The queue dashboard sets a policy of its own.
  if (headers.has("content-security-policy")) return;
  const ancestors = framers.length === 0 ? "'none'" : framers.join(" ");
  const policy = isPage ? `${pagePolicy(env, context)}; frame-ancestors ${ancestors}` : dataPolicy;
  headers.set("content-security-policy", policy);
}

/**
 * The content security policy of a page: it may load its own files, run scripts that carry this answer's nonce, and use inline
 * styles that carry it or whose hash is named. Style attributes are allowed for widths and positions: they cannot load or run
 * anything.
 */
function pagePolicy(env: HeaderEnv, { nonce, styleSources }: RequestContext): string {
  const styles = styleSources === "" ? "" : ` ${styleSources}`;
  return `script-src 'self' 'nonce-${nonce}'; style-src 'self' 'nonce-${nonce}'${styles}; ${constantPolicy(env)}`;
}

const constantPolicies = new WeakMap<HeaderEnv, string>();

/** The part of the policy that is the same for all pages. */
function constantPolicy(env: HeaderEnv): string {
  const known = constantPolicies.get(env);
  if (known !== undefined) return known;
  const { publicUrl, payments, oidc } = env;
  const formTargets = [
    "'self'",
    // The payment form redirects to Stripe, and the logout to the provider.
    ...(payments.provider === "stripe" ? ["https://checkout.stripe.com"] : []),
    ...(oidc === null ? [] : [new URL(oidc.issuer).origin]),
  ];
  const sockets = new URL(publicUrl).origin.replace(/^http/, "ws");
  const policy = [
    "default-src 'self'",
    "style-src-attr 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "font-src 'self'",
    `connect-src 'self' ${sockets}`,
    `form-action ${formTargets.join(" ")}`,
    "object-src 'none'",
    "base-uri 'none'",
  ].join("; ");
  constantPolicies.set(env, policy);
  return policy;
}
