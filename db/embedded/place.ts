import { createHash } from "node:crypto";
import { chmodSync, existsSync, lstatSync, mkdirSync, rmdirSync } from "node:fs";
import path from "node:path";

// A unix socket's path ends at 108 bytes on Linux and at 104 on macOS, its name included.
const SOCKET_FOLDER_BYTES_MAX = 80;
/** Postgres refuses to run as root; there it runs as "nobody". */
export const SERVER_UID = 65_534;

/** Where the servers of one data folder live, and how they are reached. */
export type Place = {
  dataDir: string;
  /** Holds both sockets. */
  socketFolder: string;
  databaseUrl: string;
  redisUrl: string;
};

/** The place that belongs to a data folder: the same for every process, whether the servers run or not. */
export function placeOf(dataDir: string): Place {
  const socketFolder = socketFolderOf(dataDir);
  return {
    dataDir,
    socketFolder,
    databaseUrl: `postgres://app@localhost/called_it?host=${encodeURIComponent(socketFolder)}`,
    redisUrl: `unix:${path.join(socketFolder, "redis.sock")}`,
  };
}

/** Makes the data folder where it is missing, whatever the umask: others may pass through it, not look into it. */
export function makeDataDir(dataDir: string): void {
  if (existsSync(dataDir)) return;
  mkdirSync(dataDir, { recursive: true });
  chmodSync(dataDir, 0o711);
}

/** Takes the socket folder away after the servers have stopped; one that still holds a socket stays. */
export function removeSocketFolder({ socketFolder }: Place): void {
  try {
    rmdirSync(socketFolder);
  } catch {
    // Somebody still listens there, or it is gone.
  }
}

/** True if a user who owns nothing can walk into the folder: every part of its path that exists lets others pass. */
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

/** Beside the data, unless that is too long for a socket or root keeps it where the server's user cannot go. */
function socketFolderOf(dataDir: string): string {
  const beside = path.join(dataDir, "run");
  const fits = Buffer.byteLength(beside) <= SOCKET_FOLDER_BYTES_MAX;
  if (fits && (!isRoot() || isOpenToOthers(dataDir))) return beside;
  const mark = createHash("sha256").update(dataDir).digest("hex").slice(0, 12);
  return `/tmp/called-it-${mark}`;
}

function ancestorsOf(folder: string): string[] {
  const parent = path.dirname(folder);
  return parent === folder ? [folder] : [...ancestorsOf(parent), folder];
}
