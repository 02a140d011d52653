import { lookup } from "node:dns";
import { BlockList, isIP, type LookupFunction } from "node:net";

// Decision: an address that somebody else has chosen must not become a way into the network that the product runs in. So its host is
// public, and the connection is made to the very address that was checked: a name that changes its address in between gains nothing.

/** Networks that are not public. IPv6 is treated the other way round: only 2000::/3 is public, except for these. */
const closed = new BlockList();
const closedNetworks = `
  0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24 192.88.99.0/24
  192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/3
  2001::/23 2001:db8::/32 2002::/16 3fff::/20`;
for (const network of closedNetworks.trim().split(/\s+/)) {
  const [address = "", bits] = network.split("/");
  closed.addSubnet(address, Number(bits), address.includes(":") ? "ipv6" : "ipv4");
}
const publicV6 = new BlockList();
publicV6.addSubnet("2000::", 3, "ipv6");

const INNER_NAME = /^[^.]*$|\.(local|localhost|internal|intranet|lan|home|corp|test|arpa)$/;

/** True for a name of a host that only means something inside a network. */
export function isInnerName(host: string): boolean {
  return INNER_NAME.test(host);
}

export function isPublicAddress(address: string): boolean {
  if (isIP(address) === 4) return !closed.check(address, "ipv4");
  return isIP(address) === 6 && publicV6.check(address, "ipv6") && !closed.check(address, "ipv6");
}

/** The name leads to an address that is not public. */
export class NotPublic extends Error {
  override readonly name = "NotPublic";
}

/** Looks up a host for a connection, and fails if any of its addresses is not public. */
export const lookupPublic: LookupFunction = (host, options, done) => {
  lookup(host, { ...options, all: true }, (error, addresses) => {
    if (error !== null) return done(error, "", 0);
    const [first] = addresses;
    if (first === undefined) return done(new Error(`${host} has no address`), "", 0);
    const inner = addresses.find(({ address }) => !isPublicAddress(address));
    if (inner !== undefined) return done(new NotPublic(`${host} leads to ${inner.address}`), "", 0);
    if (options.all === true) return done(null, addresses);
    return done(null, first.address, first.family);
  });
};
