import type { Env } from "#src/settings/env.ts";

/** For whatever is not a page: it may do nothing at all. */
export const contentPolicy = "default-src 'none'; frame-ancestors 'none'";

/**
 * For a page: its own files, and the scripts and styles that carry the nonce of this answer. Widths and positions in style
 * attributes stay allowed: they cannot load or run anything.
 */
export function pagePolicy(
  { publicUrl, payments }: Pick<Env, "publicUrl" | "payments">,
  nonce: string,
): string {
  const sockets = new URL(publicUrl).origin.replace(/^http/, "ws");
  return [
    "default-src 'self'",
    `script-src 'self' 'nonce-${nonce}'`,
    `style-src 'self' 'nonce-${nonce}'`,
    "style-src-attr 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "font-src 'self'",
    `connect-src 'self' ${sockets}`,
    // Where the form that pays in leads to.
    payments.provider === "stripe" ? "form-action 'self' https://checkout.stripe.com" : "form-action 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join("; ");
}
