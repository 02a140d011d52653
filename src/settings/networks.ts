import { BlockList, isIP } from "node:net";

const IPV6_GROUPS = 8;
/** A household, a phone or one server can use any address of its /64. */
const NETWORK_GROUPS = 4;
/** An office, or a rented server, can use any network of its /48. So can the phones of one carrier in one town. */
const WIDE_GROUPS = 3;
const LONGEST = { ipv4: 32, ipv6: 128 } as const;

/**
 * Reads an IP address as proxies write it, with or without the client's port: `203.0.113.8:40001`, `[2001:DB8::1]:443`.
 * @returns its one spelling, so that equal addresses are equal texts: IPv6 in lower case with its zeros shortened, IPv4 in IPv6 as
 *   IPv4. Null for anything else.
 */
export function readAddress(text: string): string | null {
  const address = withoutPort(text.trim());
  if (isIP(address) === 4) return address;
  if (isIP(address) !== 6) return null;
  // "%eth0" names the interface by which the address is reached, and no other address.
  const { hostname } = new URL(`http://[${address.replace(/%.*$/, "")}]`);
  return mappedIpv4(hostname) ?? hostname.slice(1, -1);
}

/** What limits count for an address: an IPv4 address itself, and the /64 network of an IPv6 address. */
export function networkOf(address: string): string {
  return prefixOf(address, NETWORK_GROUPS);
}

/** All that one owner can use: an IPv4 address itself, and the /48 network of an IPv6 address. */
export function wideNetworkOf(address: string): string {
  return prefixOf(address, WIDE_GROUPS);
}

function prefixOf(address: string, groups: number): string {
  const known = readAddress(address) ?? address;
  if (isIP(known) !== 6) return known;
  // A translator has put all of IPv4 into one network (RFC 6052).
  const translated = /^64:ff9b::([\da-f]+):([\da-f]+)$/.exec(known);
  if (translated !== null) return ipv4Of(translated.slice(1));
  const [head = [], tail = []] = known.split("::").map((part) => (part === "" ? [] : part.split(":")));
  const zeros = Array.from({ length: Math.max(0, IPV6_GROUPS - head.length - tail.length) }, () => "0");
  return [...head, ...zeros, ...tail].slice(0, groups).join(":");
}

/** "[::ffff:cb00:7108]", as URL writes an IPv4 address in IPv6 -> "203.0.113.8" */
function mappedIpv4(hostname: string): string | null {
  const groups = /^\[::ffff:([\da-f]+):([\da-f]+)\]$/.exec(hostname)?.slice(1);
  return groups === undefined ? null : ipv4Of(groups);
}

/** The last two groups of an IPv6 address -> "203.0.113.8" */
function ipv4Of(groups: readonly string[]): string {
  return groups
    .map((group) => group.padStart(4, "0"))
    .flatMap((group) => [group.slice(0, 2), group.slice(2)])
    .map((byte) => Number.parseInt(byte, 16))
    .join(".");
}

function withoutPort(text: string): string {
  const bracketed = /^\[([^\]]*)\](?::\d+)?$/.exec(text)?.[1];
  if (bracketed !== undefined) return bracketed;
  return isIP(text) === 0 ? text.replace(/:\d{1,5}$/, "") : text;
}

/** True for an address, and for a network in CIDR notation that is not the whole Internet: `10.0.0.2`, `10.0.0.0/8`, `fd00::/8`. */
export function isNetwork(text: string): boolean {
  return readNetwork(text) !== null;
}

/**
 * The addresses in any of these networks.
 * @param networks of which isNetwork is true.
 */
export function addressesIn(networks: readonly string[]): { has: (address: string) => boolean } {
  const list = new BlockList();
  for (const text of networks) {
    const network = readNetwork(text);
    if (network !== null) list.addSubnet(network.address, network.bits, network.family);
  }
  return { has: (address) => isIP(address) !== 0 && list.check(address, familyOf(address)) };
}

function readNetwork(text: string): { address: string; bits: number; family: keyof typeof LONGEST } | null {
  const [, address = "", bits] = /^([\da-f.:]+)(?:\/(\d{1,3}))?$/i.exec(text) ?? [];
  if (isIP(address) === 0) return null;
  const family = familyOf(address);
  const prefix = bits === undefined ? LONGEST[family] : Number(bits);
  return prefix >= 1 && prefix <= LONGEST[family] ? { address, bits: prefix, family } : null;
}

function familyOf(address: string): keyof typeof LONGEST {
  return isIP(address) === 4 ? "ipv4" : "ipv6";
}
