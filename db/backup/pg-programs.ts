import { addressOf } from "../address.ts";
import { findProgram } from "../embedded/find-program.ts";

/** A program of Postgres that runs with the address of a database in its environment, where no other user can read the password. */
export type PgProgram = { file: string; env: Record<string, string> };

/**
 * Finds pg_dump or pg_restore for a database.
 * @param url of the database: `postgres://user:password@host:port/database`, with `?sslmode=...` where it is needed.
 * @param versionMin the major version of Postgres that the program must understand.
 * @returns null if the machine has none, or an older one.
 */
export function findPgProgram(
  name: "pg_dump" | "pg_restore",
  url: string,
  versionMin: number,
): PgProgram | null {
  const file = findProgram(name);
  if (file === null) return null;
  const output = Bun.spawnSync([file, "--version"], { stderr: "ignore" }).stdout.toString();
  const version = Number(/\(PostgreSQL\) (\d+)/.exec(output)?.[1] ?? 0);
  return version < versionMin ? null : { file, env: { PATH: "/usr/bin:/bin", ...variablesOf(url) } };
}

function variablesOf(url: string): Record<string, string> {
  const { hosts, username, password, database, parameters } = addressOf(url);
  const given = {
    PGHOST: parameters.get("host") ?? hosts.map(({ name }) => name.replaceAll(/[[\]]/g, "")).join(","),
    PGPORT: hosts.map(({ port }) => port).join(","),
    PGUSER: username,
    PGPASSWORD: password,
    PGDATABASE: database,
    PGSSLMODE: parameters.get("sslmode") ?? "",
    PGSSLROOTCERT: parameters.get("sslrootcert") ?? "",
    // Of several servers the one that takes writes, as everywhere.
    PGTARGETSESSIONATTRS: hosts.length > 1 ? "read-write" : "",
  };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== ""));
}
