/**
 * True unless the browser says that another site's page sent the request. Who says nothing (a program) is judged by the
 * anti-forgery token alone.
 */
export function comesFromUs(request: Request, publicUrl: string): boolean {
  const site = request.headers.get("sec-fetch-site");
  if (site !== null && site !== "same-origin" && site !== "none") return false;
  const origin = request.headers.get("origin");
  return origin === null || origin === new URL(publicUrl).origin || origin === new URL(request.url).origin;
}

/** True where the browser itself says that a page of ours sent the request: for what carries no anti-forgery token. */
export function isSurelyFromUs(request: Request, publicUrl: string): boolean {
  const says = request.headers.get("sec-fetch-site") === "same-origin" || request.headers.has("origin");
  return says && comesFromUs(request, publicUrl);
}
