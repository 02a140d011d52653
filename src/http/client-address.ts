/**
 * Where a request comes from. A proxy is believed only where it is one of ours: then it is the last address in
 * X-Forwarded-For that is not.
 * @param peer the other end of the connection; empty where there was none.
 */
export function clientAddress(request: Request, peer: string, trustedProxies: readonly string[]): string {
  if (!trustedProxies.includes(peer)) return peer;
  const hops = (request.headers.get("x-forwarded-for") ?? "").split(",").map((hop) => hop.trim());
  return hops.findLast((hop) => hop !== "" && !trustedProxies.includes(hop)) ?? peer;
}
