import { writeFileSync } from "node:fs";
import path from "node:path";
import { APPLICATION_ROLE } from "#db/embedded/data-folder.ts";
import { launch } from "#db/embedded/server.ts";
import { freePort, isOpen } from "#tests/engines/free-port.ts";
import { serverUser } from "#tests/engines/postgres.ts";
import { requireProgram } from "#tests/engines/require-program.ts";
import { makeDataFolder } from "#tests/support/product-process.ts";

/** A PgBouncer in transaction mode, before one Postgres. */
export type PgBouncer = {
  port: number;
  /** The product's database through it, as the application's role. */
  url: string;
  start: () => Promise<void>;
  /** Ends it at once, with its connections. */
  kill: () => Promise<void>;
  /** Stops it and removes its folder. */
  stop: () => Promise<void>;
};

/**
 * Starts Debian's PgBouncer with a configuration of its own on a free port.
 * @param target the port of Postgres on the loopback address.
 * @param poolSize how many connections to Postgres all clients of a role and a database share.
 */
export async function startPgBouncer(
  target: { port: number },
  { poolSize = 4 }: { poolSize?: number } = {},
): Promise<PgBouncer> {
  const program = requireProgram("pgbouncer");
  const { dataDir: folder, remove } = makeDataFolder();
  const port = freePort();
  const users = path.join(folder, "users.txt");
  writeFileSync(users, `"${APPLICATION_ROLE}" ""\n`);
  const config = path.join(folder, "pgbouncer.ini");
  writeFileSync(
    config,
    `[databases]
* = host=127.0.0.1 port=${target.port}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = trust
auth_file = ${users}
pool_mode = transaction
default_pool_size = ${poolSize}
max_client_conn = 500
server_login_retry = 1
`,
  );
  const open = () =>
    launch({
      name: "PgBouncer",
      command: [program, config],
      cwd: folder,
      env: { PATH: "/usr/bin:/bin" },
      logFile: path.join(folder, "pgbouncer.log"),
      // Ends at once; SIGINT would wait for the clients.
      stopSignal: "SIGTERM",
      user: serverUser,
      isReady: () => isOpen(port),
    });
  let server = await open();
  return {
    port,
    url: `postgres://${APPLICATION_ROLE}@127.0.0.1:${port}/called_it?pgbouncer=true`,
    start: async () => {
      server = await open();
    },
    kill: async () => {
      server.kill();
      await server.exited;
    },
    stop: async () => {
      await server.stop();
      remove();
    },
  };
}
