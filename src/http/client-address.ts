/**
 * Where a request comes from. A proxy is believed only where it is one of ours: then it is the last address in
 * X-Forwarded-For that is not.
 * @param peer the other end of the connection; empty where there was none.
 */
export function clientAddress(request: Request, peer: string, trustedProxies: readonly string[]): string {
  const direct = plain(peer);
  if (!trustedProxies.includes(direct)) return direct;
  const hops = (request.headers.get("x-forwarded-for") ?? "").split(",").map((hop) => plain(hop.trim()));
  return hops.findLast((hop) => hop !== "" && !trustedProxies.includes(hop)) ?? direct;
}

/** An IPv4 address as such, also where a socket for both kinds says "::ffff:1.2.3.4". */
function plain(address: string): string {
  return address.replace(/^::ffff:(?=[\d.]+$)/i, "");
}
