// Decision: everything about a connection is in its URL, in libpq's words: several hosts, sslmode, sslrootcert. One word is of
// Prisma's: pgbouncer=true. So each program that opens a connection needs nothing else.

const shape = /^postgres(?:ql)?:\/\/(?:([^/?]*)@)?([^/?@]*)(?:\/([^?]*))?(?:\?(.*))?$/;
const hostAndPort = /^(\[[^\]]+\]|[^:[\]]+)(?::(\d{1,5}))?$/;
const PORT = "5432";
const poolers = ["true", "prepared"];

export type Address = {
  username: string;
  password: string;
  /** The servers, of which one takes writes. */
  hosts: { name: string; port: string }[];
  database: string;
  parameters: URLSearchParams;
};

/**
 * Reads `postgres://user:password@host:port,host:port/database?name=value`.
 * @returns null if it is not of this form.
 */
export function parseAddress(url: string): Address | null {
  const [, user = "", hosts = "", database = "", parameters = ""] = shape.exec(url) ?? [];
  const named = hosts.split(",").map((host) => hostAndPort.exec(host));
  const [name = "", ...password] = user.split(":");
  try {
    const address = {
      username: decodeURIComponent(name),
      password: decodeURIComponent(password.join(":")),
      hosts: named.flatMap((host) =>
        host?.[1] === undefined ? [] : [{ name: host[1], port: host[2] ?? PORT }],
      ),
      database: decodeURIComponent(database),
      parameters: new URLSearchParams(parameters),
    };
    const isKnown = [null, ...poolers].includes(address.parameters.get("pgbouncer"));
    return isKnown && address.hosts.length === named.length ? address : null;
  } catch {
    // A percent sign without its two digits.
    return null;
  }
}

/** As parseAddress. @throws if it is not of this form: the settings have been checked. */
export function addressOf(url: string): Address {
  const address = parseAddress(url);
  // The URL itself may hold a password.
  if (address === null) throw new Error("the address of the database cannot be read");
  return address;
}

/** Writes an address as the URL that parseAddress reads. */
export function formatAddress({ username, password, hosts, database, parameters }: Address): string {
  const secret = password === "" ? "" : `:${encodeURIComponent(password)}`;
  const user = username === "" ? "" : `${encodeURIComponent(username)}${secret}@`;
  const servers = hosts.map(({ name, port }) => `${name}:${port}`).join(",");
  const words = parameters.toString();
  return `postgres://${user}${servers}/${encodeURIComponent(database)}${words === "" ? "" : `?${words}`}`;
}

/** Connections come from a PgBouncer in transaction mode: nothing may stay in a connection from one transaction to the next. */
export function isPooled({ parameters }: Address): boolean {
  return poolers.includes(parameters.get("pgbouncer") ?? "");
}

/** Statements can be prepared under a name: not behind a PgBouncer, unless it is a newer one that keeps them for its clients. */
export function isPreparing({ parameters }: Address): boolean {
  return parameters.get("pgbouncer") !== "true";
}
