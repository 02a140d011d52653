/** Where Redis is, as REDIS_URL says: one server, a cluster, or a master that sentinels know. */
export type RedisAddress = {
  /** The nodes of a cluster or the sentinels, of which some suffice. One for a single server; none for a unix socket. */
  hosts: RedisHost[];
  /** The unix socket of a single server. */
  path?: string;
  /** The name by which sentinels know the master. */
  masterName?: string;
  isCluster: boolean;
  /** The number of the database. A cluster has only 0. */
  db: number;
  username?: string;
  password?: string;
  /** What the sentinels ask for. */
  sentinelPassword?: string;
  tls: boolean;
  /** The file with the certificates that are trusted for it; without it those of the system. */
  caFile?: string;
};
export type RedisHost = { host: string; port: number };

const PORT = 6_379;
const SENTINEL_PORT = 26_379;
const FORM =
  /^redis(?<tls>s?)(?:\+(?<kind>cluster|sentinel))?:\/\/(?:(?<user>[^:@/]*)(?::(?<password>.*))?@)?(?<hosts>[^/?@]+)(?:\/(?<rest>[^?]*))?(?:\?(?<query>.*))?$/;
const HOST = /^(?<host>\[[\da-f:.]+\]|[\w.-]+)(?::(?<port>\d{1,5}))?$/i;

/**
 * Reads an address of Redis; null if it has none of these forms. `rediss` is with TLS. Names and passwords are URL-encoded.
 * - `redis://user:password@host:6379/0`, `unix:/folder/redis.sock`
 * - `redis+cluster://user:password@host1:6379,host2:6379`
 * - `rediss://host:6380/0?sslrootcert=/folder/ca.pem`: with the certificates that are trusted for it
 * - `redis+sentinel://user:password@host1:26379,host2:26379/master/0?sentinel_password=password`
 */
export function parseRedisUrl(url: string): RedisAddress | null {
  if (url.startsWith("unix:/"))
    return { hosts: [], path: url.slice("unix:".length), isCluster: false, db: 0, tls: false };
  return isDecodable(url) ? parseServers(url) : null;
}

function parseServers(url: string): RedisAddress | null {
  const { tls, kind, user, password, hosts: list, rest = "", query } = FORM.exec(url)?.groups ?? {};
  const hosts = parseHosts(list ?? "", kind);
  const [masterName, number = ""] = kind === "sentinel" ? rest.split("/") : [undefined, rest];
  const isNumber = kind === "cluster" ? /^0?$/ : /^\d{0,4}$/;
  if (hosts === null || masterName === "" || !isNumber.test(number)) return null;
  const texts = {
    masterName: decode(masterName),
    username: decode(user),
    password: decode(password),
    sentinelPassword: new URLSearchParams(query).get("sentinel_password"),
    caFile: new URLSearchParams(query).get("sslrootcert"),
  };
  const given = Object.entries(texts).filter(([, text]) => text !== null);
  return {
    hosts,
    isCluster: kind === "cluster",
    db: Number(number),
    tls: tls === "s",
    ...Object.fromEntries(given),
  };
}

/** Null if one is wrong, or if there are several where one is expected. */
function parseHosts(list: string, kind: string | undefined): RedisHost[] | null {
  const hosts = list
    .split(",")
    .map((text) => parseHost(text, kind === "sentinel" ? SENTINEL_PORT : PORT))
    .filter((host) => host !== null);
  return hosts.length === list.split(",").length && (kind !== undefined || hosts.length === 1) ? hosts : null;
}

function parseHost(text: string, defaultPort: number): RedisHost | null {
  const { host, port } = HOST.exec(text)?.groups ?? {};
  if (host === undefined) return null;
  return { host: host.replaceAll(/^\[|\]$/g, ""), port: Number(port ?? defaultPort) };
}

function decode(text: string | undefined): string | null {
  return text === undefined || text === "" ? null : decodeURIComponent(text);
}

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}
