/** The headers that a 304 keeps (RFC 9110, 15.4.5). */
const headersOf304 = new Set(["cache-control", "content-location", "date", "etag", "expires", "vary"]);
const ENTITY_TAG = /(?:W\/)?("[^"]*")/g;

/**
 * True if `If-None-Match` names this tag or `*`: the client has the answer already. Tags are compared weakly, so `W/"a"` equals `"a"`
 * (RFC 9110, 13.1.2).
 */
export function hasCurrent(request: Request, etag: string): boolean {
  const known = request.headers.get("if-none-match")?.trim();
  if (known === undefined) return false;
  return known === "*" || opaqueTagsIn(known).includes(opaqueTagsIn(etag)[0] ?? "");
}

/**
 * The 304 for a client that has the current answer; null if it must be sent.
 * @param headers of the answer, with its `etag`.
 */
export function notModified(request: Request, headers: Headers): Response | null {
  const etag = headers.get("etag");
  if (etag === null || !hasCurrent(request, etag)) return null;
  const kept = [...headers].filter(([name]) => headersOf304.has(name));
  return new Response(null, { status: 304, headers: kept });
}

/** Tags without their `W/`. A comma may be part of a tag. */
function opaqueTagsIn(header: string): string[] {
  return [...header.matchAll(ENTITY_TAG)].map(([, opaque = ""]) => opaque);
}
