import { createHash } from "node:crypto";
import { chmodSync, existsSync, lstatSync, mkdirSync, rmdirSync } from "node:fs";
import path from "node:path";

// A unix socket's path ends at 108 bytes on Linux and at 104 on macOS, its name included.
const SOCKET_FOLDER_BYTES_MAX = 80;
/** Postgres refuses to run as root; there it runs as "nobody". */
export const SERVER_UID = 65_534;

/** A data folder, and the addresses of the servers in it. */
export type DataFolder = {
  dataDir: string;
  /** The folder of both sockets. */
  socketFolder: string;
  databaseUrl: string;
  redisUrl: string;
};

/** Describes a data folder. The result is the same in every process, whether the servers run or not. */
export function dataFolderOf(dataDir: string): DataFolder {
  const socketFolder = socketFolderOf(dataDir);
  return {
    dataDir,
    socketFolder,
    databaseUrl: `postgres://app@localhost/called_it?host=${encodeURIComponent(socketFolder)}`,
    redisUrl: `unix:${path.join(socketFolder, "redis.sock")}`,
  };
}

/** Creates the data folder if it is missing. Other users can enter it but not list it, whatever the umask is. */
export function makeDataDir(dataDir: string): void {
  if (existsSync(dataDir)) return;
  mkdirSync(dataDir, { recursive: true });
  chmodSync(dataDir, 0o711);
}

/** Removes the socket folder after the servers have stopped. A folder that still holds a socket stays. */
export function removeSocketFolder({ socketFolder }: DataFolder): void {
  try {
    rmdirSync(socketFolder);
  } catch {
    // A server still listens there, or the folder is gone.
  }
}

/** True if any user can enter the folder: every existing part of its path has the execute bit for others. */
export function isOpenToOthers(folder: string): boolean {
  const parents = ancestorsOf(folder);
  return parents.every((parent) => {
    const entry = lstatSync(parent, { throwIfNoEntry: false });
    return entry === undefined || entry.isSymbolicLink() || (entry.mode & 0o001) !== 0;
  });
}

export function isRoot(): boolean {
  return process.getuid?.() === 0;
}

/** The folder `run` in the data folder, unless that path is too long for a socket or closed to the user that the servers run as. */
function socketFolderOf(dataDir: string): string {
  const inside = path.join(dataDir, "run");
  const fits = Buffer.byteLength(inside) <= SOCKET_FOLDER_BYTES_MAX;
  if (fits && (!isRoot() || isOpenToOthers(dataDir))) return inside;
  const hash = createHash("sha256").update(dataDir).digest("hex").slice(0, 12);
  return `/tmp/called-it-${hash}`;
}

function ancestorsOf(folder: string): string[] {
  const parent = path.dirname(folder);
  return parent === folder ? [folder] : [...ancestorsOf(parent), folder];
}
