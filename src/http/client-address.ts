/**
 * The client's address. X-Forwarded-For counts only if the connection comes from a trusted proxy. The client is then the
 * last address in it that is not a trusted proxy.
 * @param peer the address of the connection's other end; empty if there was no connection.
 */
export function clientAddress(request: Request, peer: string, trustedProxies: readonly string[]): string {
  const direct = plain(peer);
  if (!isTrustedPeer(peer, trustedProxies)) return direct;
  const hops = (request.headers.get("x-forwarded-for") ?? "").split(",").map((hop) => plain(hop.trim()));
  return hops.findLast((hop) => hop !== "" && !trustedProxies.includes(hop)) ?? direct;
}

/** True if what the headers of a request say about its origin can be believed: a trusted proxy has sent it. */
export function isTrustedPeer(peer: string, trustedProxies: readonly string[]): boolean {
  return trustedProxies.includes(plain(peer));
}

/** "::ffff:1.2.3.4", as a dual-stack socket reports an IPv4 address, -> "1.2.3.4" */
function plain(address: string): string {
  return address.replace(/^::ffff:(?=[\d.]+$)/i, "");
}
