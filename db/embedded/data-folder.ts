import { createHash } from "node:crypto";
import { chmodSync, existsSync, lstatSync, mkdirSync, rmdirSync } from "node:fs";
import path from "node:path";

// A unix socket's path ends at 108 bytes on Linux and at 104 on macOS, its name included.
const SOCKET_FOLDER_BYTES_MAX = 80;
/** Postgres refuses to run as root; there it runs as "nobody". */
export const SERVER_UID = 65_534;

/** A data folder, and how the servers in it are reached. */
export type DataFolder = {
  dataDir: string;
  /** Holds both sockets. */
  socketFolder: string;
  databaseUrl: string;
  redisUrl: string;
};

/** Describes a data folder: the same for every process, whether its servers run or not. */
export function dataFolderOf(dataDir: string): DataFolder {
  const socketFolder = socketFolderOf(dataDir);
  return {
    dataDir,
    socketFolder,
    databaseUrl: `postgres://app@localhost/called_it?host=${encodeURIComponent(socketFolder)}`,
    redisUrl: `unix:${path.join(socketFolder, "redis.sock")}`,
  };
}

/** Creates the data folder where it is missing. Other users may pass through it but not list it, whatever the umask is. */
export function makeDataDir(dataDir: string): void {
  if (existsSync(dataDir)) return;
  mkdirSync(dataDir, { recursive: true });
  chmodSync(dataDir, 0o711);
}

/** Removes the socket folder after the servers have stopped; one that still holds a socket stays. */
export function removeSocketFolder({ socketFolder }: DataFolder): void {
  try {
    rmdirSync(socketFolder);
  } catch {
    // A server still listens there, or the folder is gone.
  }
}

/** True if a user who owns nothing can enter the folder: every part of its path that exists lets others pass. */
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

/** In the data folder, unless that path is too long for a socket or closed to the user that the servers run as. */
function socketFolderOf(dataDir: string): string {
  const inside = path.join(dataDir, "run");
  const fits = Buffer.byteLength(inside) <= SOCKET_FOLDER_BYTES_MAX;
  if (fits && (!isRoot() || isOpenToOthers(dataDir))) return inside;
  const mark = createHash("sha256").update(dataDir).digest("hex").slice(0, 12);
  return `/tmp/called-it-${mark}`;
}

function ancestorsOf(folder: string): string[] {
  const parent = path.dirname(folder);
  return parent === folder ? [folder] : [...ancestorsOf(parent), folder];
}
