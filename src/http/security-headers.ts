import type { Env } from "#src/settings/env.ts";
import { contentPolicy, pagePolicy } from "./csp.ts";
import type { RequestContext } from "./request-context.ts";

const HSTS = "max-age=63072000; includeSubDomains";

/** Sets what every answer carries: what a browser may do with it, who may keep it, and the request id. */
export function setSecurityHeaders(
  headers: Headers,
  env: Pick<Env, "publicUrl" | "payments">,
  exchange: RequestContext,
): void {
  const isPage = headers.get("content-type")?.startsWith("text/html") ?? false;
  // What is not made here says itself what it needs.
  if (!headers.has("content-security-policy")) {
    headers.set("content-security-policy", isPage ? pagePolicy(env, exchange.nonce) : contentPolicy);
  }
  headers.set("x-content-type-options", "nosniff");
  // Links in mails carry secrets in their query: no other site is ever told one.
  headers.set("referrer-policy", "same-origin");
  headers.set("x-frame-options", "DENY");
  headers.set("cross-origin-opener-policy", "same-origin");
  headers.set("permissions-policy", "camera=(), geolocation=(), microphone=(), payment=()");
  headers.set("x-request-id", exchange.requestId);
  if (env.publicUrl.startsWith("https:")) headers.set("strict-transport-security", HSTS);
  if (!headers.has("cache-control")) headers.set("cache-control", "no-store");
}
