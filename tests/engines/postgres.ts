import { chmodSync, chownSync, mkdirSync } from "node:fs";
import path from "node:path";
import { SQL } from "bun";
import { APPLICATION_ROLE, isRoot, SERVER_UID } from "#db/embedded/data-folder.ts";
import { preparePostgres } from "#db/embedded/postgres.ts";
import { waitUntil } from "#db/embedded/processes.ts";
import { launch, type Server } from "#db/embedded/server.ts";
import { migrate } from "#db/upgrade/migrate.ts";
import { childrenOf, makeDataFolder, rememberProcesses } from "#tests/support/product-process.ts";
import { freePort, isOpen } from "./free-port.ts";

/** The superuser of the engine, which owns the database. */
const SUPERUSER = "owner";
const DATABASE = "called_it";
const ENDS_WITHIN_MS = 30_000;

/** A Postgres on a port of the loopback address, with a cluster of its own. It asks for no password. */
export type PostgresEngine = {
  port: number;
  folder: string;
  cluster: string;
  /** The database as the application's role. */
  url: string;
  /** The database as its owner, who is the superuser too. */
  ownerUrl: string;
  /** Starts it again, on the same port, after `stop` or `kill`. */
  start: () => Promise<void>;
  /** Stops it and closes its connections. */
  stop: () => Promise<void>;
  /** Kills all its processes, and waits until they have ended. */
  kill: () => Promise<void>;
  /** Runs a statement as the superuser, over a connection of its own. */
  run: (statement: string) => Promise<unknown[]>;
  /** Stops it and removes its folder. */
  remove: () => Promise<void>;
};

/** Settings of postgresql.conf, by name. */
export type PostgresSettings = Record<string, string>;

const usualSettings: PostgresSettings = {
  listen_addresses: "127.0.0.1",
  unix_socket_directories: "",
  shared_buffers: "64MB",
  max_connections: "100",
  jit: "off",
  timezone: "UTC",
  wal_level: "replica",
  // What a crash of the machine loses is not tested, a crash of Postgres loses nothing.
  fsync: "off",
};

/** Starts an engine with an empty database of this release, owned by one role and served by another. */
export async function startPostgresEngine(settings: PostgresSettings = {}): Promise<PostgresEngine> {
  const engine = await startEmptyCluster(settings);
  for (const statement of [`CREATE ROLE ${APPLICATION_ROLE} LOGIN CREATEDB`, `CREATE DATABASE ${DATABASE}`]) {
    await runOn(engine.port, statement, "postgres");
  }
  await migrate(engine.ownerUrl, { applicationRole: APPLICATION_ROLE });
  return engine;
}

/** Starts an engine without a database: its superuser makes all. */
export function startEmptyCluster(settings: PostgresSettings = {}): Promise<PostgresEngine> {
  return startCluster(makeCluster, settings);
}

/** Where the programs of Postgres are, and the folder that the new cluster gets. */
type NewCluster = { binaries: string; cluster: string };

/** Starts an engine whose cluster `make` creates. */
export async function startCluster(
  make: (place: NewCluster) => Promise<void> | void,
  settings: PostgresSettings,
): Promise<PostgresEngine> {
  const { dataDir: folder, remove } = makeDataFolder();
  const binaries = path.join(preparePostgres(folder).folder, "bin");
  const cluster = path.join(folder, "cluster");
  mkdirSync(cluster, { mode: 0o700 });
  giveToServer(cluster);
  await make({ binaries, cluster });
  const port = freePort();
  const open = () =>
    launchPostgres({ binaries, cluster, folder }, { ...usualSettings, ...settings, port: String(port) });
  let server = await open();
  const urlOf = (role: string) => `postgres://${role}@127.0.0.1:${port}/${DATABASE}`;
  return {
    port,
    folder,
    cluster,
    url: urlOf(APPLICATION_ROLE),
    ownerUrl: urlOf(SUPERUSER),
    start: async () => {
      server = await open();
    },
    stop: () => server.stop(),
    kill: () => killAll(server),
    run: (statement) => runOn(port, statement),
    remove: async () => {
      await server.stop();
      remove();
    },
  };
}

/** The user that Postgres runs as, where root starts it. */
export const serverUser = isRoot() ? { uid: SERVER_UID, gid: SERVER_UID } : undefined;

/** Makes a file or folder one of the server's user, closed to others. */
export function giveToServer(file: string): void {
  if (serverUser !== undefined) chownSync(file, serverUser.uid, serverUser.gid);
}

function makeCluster({ binaries, cluster }: NewCluster): void {
  const made = Bun.spawnSync(
    [
      path.join(binaries, "initdb"),
      `--pgdata=${cluster}`,
      `--username=${SUPERUSER}`,
      "--auth=trust",
      "--encoding=UTF8",
      "--locale-provider=builtin",
      "--builtin-locale=C.UTF-8",
      "--locale=C",
      "--no-sync",
    ],
    { cwd: cluster, env: serverVariables, ...serverUser },
  );
  if (made.exitCode !== 0) throw new Error(made.stderr.toString());
}

const serverVariables = { PATH: "/usr/bin:/bin", LC_ALL: "C", TZ: "UTC" };

type Place = NewCluster & { folder: string };

function launchPostgres({ binaries, cluster, folder }: Place, settings: PostgresSettings): Promise<Server> {
  chmodSync(cluster, 0o700);
  return launch({
    name: "Postgres",
    command: [
      path.join(binaries, "postgres"),
      "-D",
      cluster,
      ...Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]),
    ],
    cwd: cluster,
    env: serverVariables,
    logFile: path.join(folder, "postgres.log"),
    stopSignal: "SIGINT",
    user: serverUser,
    isReady: async () => (await isOpen(Number(settings["port"]))) && answers(Number(settings["port"])),
  });
}

async function answers(port: number): Promise<boolean> {
  try {
    await runOn(port, "SELECT 1", "postgres");
    return true;
  } catch {
    return false;
  }
}

/**
 * A postmaster that is killed alone leaves its processes behind for a moment, and a new one cannot start beside them. It is stopped
 * first, so that it starts no process after its processes were listed.
 */
async function killAll(server: Server): Promise<void> {
  process.kill(server.pid, "SIGSTOP");
  const pids = [server.pid, ...childrenOf(server.pid)];
  const stillRunning = rememberProcesses(pids);
  for (const pid of pids) {
    try {
      process.kill(pid, "SIGKILL");
    } catch {
      // It has ended by itself.
    }
  }
  await server.exited;
  await waitUntil(() => stillRunning().length === 0, ENDS_WITHIN_MS);
}

async function runOn(port: number, statement: string, database = DATABASE): Promise<unknown[]> {
  const sql = new SQL({
    adapter: "postgres",
    url: `postgres://${SUPERUSER}@127.0.0.1:${port}/${database}`,
    max: 1,
  });
  try {
    const rows: unknown[] = await sql.unsafe(statement);
    return [...rows];
  } finally {
    await sql.close();
  }
}
