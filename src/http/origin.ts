/**
 * True unless the browser says that a page of another site sent the request. A client that says nothing (a program) passes
 * here, and must prove itself by the anti-forgery token alone.
 */
export function isSameOrigin(request: Request, publicUrl: string): boolean {
  const site = request.headers.get("sec-fetch-site");
  if (site !== null && site !== "same-origin" && site !== "none") return false;
  const origin = request.headers.get("origin");
  return origin === null || origin === new URL(publicUrl).origin || origin === new URL(request.url).origin;
}

/** True only if the browser says that one of our own pages sent the request. For requests without an anti-forgery token. */
export function isProvenSameOrigin(request: Request, publicUrl: string): boolean {
  const hasProof = request.headers.get("sec-fetch-site") === "same-origin" || request.headers.has("origin");
  return hasProof && isSameOrigin(request, publicUrl);
}
