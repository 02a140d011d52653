import { hostname } from "node:os";

/** Postgres cuts a longer name. */
const LENGTH_MAX = 63;
const named = /^called-it \w{8} (?<name>\S+) (?<pid>\d+) (?<host>\S*)$/;

/**
 * The name of a pool's connections at the server, which no other connections have. It says whose they are, also behind a PgBouncer.
 * @param name of the process; left out for a program that does one task.
 */
export function applicationName(name?: string): string {
  const own = `called-it ${crypto.randomUUID().slice(0, 8)}`;
  return name === undefined ? own : `${own} ${name} ${process.pid} ${hostname()}`.slice(0, LENGTH_MAX);
}

/** Whose connection has this name: "web-2 (process 4711 on host-a)"; null if it is not one of a named pool. */
export function readApplication(application: string): string | null {
  const { name, pid, host } = named.exec(application)?.groups ?? {};
  return name === undefined ? null : `${name} (process ${pid} on ${host})`;
}
