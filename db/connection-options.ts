import { type Address, addressOf, formatAddress, isPooled, isPreparing } from "./address.ts";

const STATEMENT_TIMEOUT_MS = 30_000;
/** Words that are ours; all others are Bun's and the server's. */
const ownParameters = ["host", "pgbouncer", "target_session_attrs"];

/** Options of Bun's client. */
export type ConnectionOptions = Bun.SQL.PostgresOrMySQLOptions;

/**
 * How to connect to each server of an address.
 *
 * A PgBouncer before 1.21 keeps no prepared statements. Each one refuses settings that come with the connection, such as
 * statement_timeout. The role has that one instead; see deploy/postgres.md.
 */
export function connectionOptions(url: string): ConnectionOptions[] {
  const address = addressOf(url);
  const common = {
    adapter: "postgres",
    ...(isPreparing(address) ? {} : { prepare: false }),
    ...(isPooled(address) ? {} : { connection: { statement_timeout: STATEMENT_TIMEOUT_MS } }),
  } as const;
  const folder = address.parameters.get("host");
  if (folder === null) return address.hosts.map((host) => ({ ...common, url: urlOf(address, host) }));
  const { username, database, hosts } = address;
  return [{ ...common, path: `${folder}/.s.PGSQL.${hosts[0]?.port ?? ""}`, username, database }];
}

function urlOf(address: Address, host: Address["hosts"][number]): string {
  const parameters = new URLSearchParams(address.parameters);
  for (const name of ownParameters) parameters.delete(name);
  return formatAddress({ ...address, hosts: [host], parameters });
}
