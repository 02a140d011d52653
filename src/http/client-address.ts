import { addressesIn, readAddress } from "#src/settings/networks.ts";

/**
 * The client's address, in its one spelling and without a port. X-Forwarded-For counts only if the connection comes from a trusted
 * proxy. The client is then the last address in it that is not a trusted proxy. Where a proxy has written something else, such as
 * "unknown", the client is not known, and the connection's address counts.
 * @param peer the address of the connection's other end; empty if there was no connection.
 * @param trustedProxies addresses and networks.
 */
export function clientAddress(request: Request, peer: string, trustedProxies: readonly string[]): string {
  const direct = readAddress(peer) ?? peer;
  const isTrusted = trustOf(trustedProxies);
  if (!isTrusted(direct)) return direct;
  const hops = (request.headers.get("x-forwarded-for") ?? "").split(",").filter((hop) => hop.trim() !== "");
  return hops.map(readAddress).findLast((hop) => hop === null || !isTrusted(hop)) ?? direct;
}

/** True if what the headers of a request say about its origin can be believed: a trusted proxy has sent it. */
export function isTrustedPeer(peer: string, trustedProxies: readonly string[]): boolean {
  return trustOf(trustedProxies)(readAddress(peer) ?? peer);
}

type Trust = (address: string) => boolean;

/** By the list of the settings, which is read once. */
const trusts = new WeakMap<readonly string[], Trust>();

function trustOf(trustedProxies: readonly string[]): Trust {
  const known = trusts.get(trustedProxies) ?? addressesIn(trustedProxies).has;
  trusts.set(trustedProxies, known);
  return known;
}
