import { type Address, addressOf, formatAddress, isPooled, isPreparing } from "./address.ts";

const STATEMENT_TIMEOUT_MS = 30_000;
/**
 * A transaction whose process says nothing for so long is ended by the server, and its locks are free: the process is frozen, or its
 * packets are lost. What it held goes on within 5 s. What waits for longer between two statements sets its own limit.
 */
export const IDLE_IN_TRANSACTION_MAX_MS = 4_000;
/** A server that has waited so long for the other side of a connection closes it. */
const PEER_SILENT_MAX_MS = 5_000;
/** How soon the server asks a quiet connection for a sign of life, and how often; together PEER_SILENT_MAX_MS. */
const KEEPALIVE = { idleS: 2, intervalS: 1, count: 3 };
/** How often the server looks whether the connection of a statement that runs is still there. */
const CHECK_CONNECTION_EVERY_MS = 2_000;

/** What each connection has, and a PgBouncer refuses. `tcp_`: without effect on a unix socket. */
const settings = {
  statement_timeout: STATEMENT_TIMEOUT_MS,
  idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MAX_MS,
  client_connection_check_interval: CHECK_CONNECTION_EVERY_MS,
  tcp_user_timeout: PEER_SILENT_MAX_MS,
  tcp_keepalives_idle: KEEPALIVE.idleS,
  tcp_keepalives_interval: KEEPALIVE.intervalS,
  tcp_keepalives_count: KEEPALIVE.count,
  // Every statement after a lock must see the changes that the lock waited for.
  default_transaction_isolation: "read committed",
};

/** Words that are ours; all others are Bun's and the server's. */
const ownParameters = ["host", "pgbouncer", "target_session_attrs"];

export type ConnectionOptions = Bun.SQL.PostgresOrMySQLOptions;

/**
 * How to connect to each server of an address.
 *
 * A PgBouncer before 1.21 keeps no prepared statements. Each one refuses settings that come with the connection, such as
 * statement_timeout. The role has that one instead; see deploy/postgres.md. `transactionStart` limits its transactions.
 */
export function connectionOptions(url: string): ConnectionOptions[] {
  const address = addressOf(url);
  const common = {
    adapter: "postgres",
    ...(isPreparing(address) ? {} : { prepare: false }),
    ...(isPooled(address) ? {} : { connection: settings }),
  } as const;
  const folder = address.parameters.get("host");
  if (folder === null) return address.hosts.map((host) => ({ ...common, url: urlOf(address, host) }));
  const { username, database, hosts } = address;
  return [{ ...common, path: `${folder}/.s.PGSQL.${hosts[0]?.port ?? ""}`, username, database }];
}

/** The first statement of each transaction, where a PgBouncer refuses the settings of connections; otherwise null. */
export function transactionStart(url: string): string | null {
  return isPooled(addressOf(url)) ? LIMIT_TRANSACTION : null;
}

/** Limits a transaction that has begun, for as long as it runs. */
export const LIMIT_TRANSACTION = `SET LOCAL idle_in_transaction_session_timeout = ${IDLE_IN_TRANSACTION_MAX_MS}`;

function urlOf(address: Address, host: Address["hosts"][number]): string {
  const parameters = new URLSearchParams(address.parameters);
  for (const name of ownParameters) parameters.delete(name);
  return formatAddress({ ...address, hosts: [host], parameters });
}
