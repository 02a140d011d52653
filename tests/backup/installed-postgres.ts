import { chownSync, existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { isRoot, SERVER_UID } from "#db/embedded/data-folder.ts";
import { findOrInstall } from "#db/embedded/programs.ts";
import { launch, type Server } from "#db/embedded/server.ts";

const PACKAGES = "/usr/lib/postgresql";
const PROGRAMS = ["initdb", "postgres", "pg_dump", "pg_restore"];

/** The folder of the programs of Debian's Postgres, which is installed first if it is missing. See findOrInstall. */
export function requireInstalledPostgres(): string {
  return findOrInstall({ name: "Postgres", packages: { "apt-get": "postgresql" }, find: findBin });
}

/** They are not on the path. */
function findBin(): string | null {
  const versions = existsSync(PACKAGES)
    ? readdirSync(PACKAGES).toSorted((a, b) => Number(b) - Number(a))
    : [];
  const folders = versions.map((version) => path.join(PACKAGES, version, "bin"));
  return folders.find((bin) => PROGRAMS.every((name) => existsSync(path.join(bin, name)))) ?? null;
}

/** Starts a server of that Postgres on a socket in the folder. The role `owner` is its superuser. */
export async function startInstalledPostgres(bin: string, folder: string): Promise<Server> {
  const user = isRoot() ? { uid: SERVER_UID, gid: SERVER_UID } : undefined;
  const cluster = path.join(folder, "cluster");
  for (const each of [folder, cluster]) {
    mkdirSync(each, { recursive: true, mode: 0o700 });
    if (user !== undefined) chownSync(each, user.uid, user.gid);
  }
  const env = { PATH: "/usr/bin:/bin", LC_ALL: "C", TZ: "UTC" };
  const init = [
    path.join(bin, "initdb"),
    "-D",
    cluster,
    "-A",
    "trust",
    "-U",
    "owner",
    "-E",
    "UTF8",
    "--no-sync",
  ];
  if (Bun.spawnSync(init, { cwd: folder, env, ...user }).exitCode !== 0) throw new Error("initdb failed");
  const options = { listen_addresses: "", unix_socket_directories: folder, fsync: "off" };
  return launch({
    name: "the installed Postgres",
    command: [
      path.join(bin, "postgres"),
      "-D",
      cluster,
      ...Object.entries(options).flatMap(([name, value]) => ["-c", `${name}=${value}`]),
    ],
    cwd: folder,
    env,
    logFile: path.join(folder, "..", "installed-postgres.log"),
    stopSignal: "SIGINT",
    user,
    isReady: () => isReady(cluster),
  });
}

/** The state is the eighth line of the file. */
function isReady(cluster: string): boolean {
  const file = path.join(cluster, "postmaster.pid");
  return existsSync(file) && readFileSync(file, "utf8").split("\n")[7]?.trim() === "ready";
}
