import { createHash } from "node:crypto";
import { chmodSync, existsSync, lstatSync, mkdirSync, readdirSync, rmdirSync, statSync } from "node:fs";
import path from "node:path";

// A unix socket's path ends at 108 bytes on Linux and at 104 on macOS, its name included.
const SOCKET_FOLDER_BYTES_MAX = 80;
/** Postgres refuses to run as root; there it runs as "nobody". */
export const SERVER_UID = 65_534;

/** The role that owns the embedded Postgres and its tables. Clusters of earlier releases have it too. */
export const OWNER_ROLE = "app";
/** The role that the web and the worker have there. */
export const APPLICATION_ROLE = "called_it";

export type DataFolder = {
  dataDir: string;
  socketFolder: string;
  /** The database, as the application uses it. */
  databaseUrl: string;
  /** The same as its owner: to migrate, seed, back up and restore it. */
  ownerUrl: string;
  redisUrl: string;
};

/** Describes a data folder. The result is the same in every process, whether the servers run or not. */
export function dataFolderOf(dataDir: string): DataFolder {
  const socketFolder = socketFolderOf(dataDir);
  const urlOf = (role: string) =>
    `postgres://${role}@localhost/called_it?host=${encodeURIComponent(socketFolder)}`;
  return {
    dataDir,
    socketFolder,
    databaseUrl: urlOf(APPLICATION_ROLE),
    ownerUrl: urlOf(OWNER_ROLE),
    redisUrl: `unix:${path.join(socketFolder, "redis.sock")}`,
  };
}

/**
 * Creates the data folder if it is missing. It is closed to other users; that of root can be entered, not listed, because
 * Postgres runs as another user there.
 */
export function makeDataDir(dataDir: string): void {
  if (existsSync(dataDir)) return;
  mkdirSync(dataDir, { recursive: true });
  chmodSync(dataDir, isRoot() ? 0o711 : 0o700);
}

/** Closes the files of the data folder to other users, also those that an earlier release left open. */
export function closeDataDir(dataDir: string): void {
  if (!isRoot()) chmodSync(dataDir, 0o700);
  for (const entry of readdirSync(dataDir, { withFileTypes: true })) {
    const file = path.join(dataDir, entry.name);
    if (entry.isFile() && ownFiles.test(entry.name)) chmodSync(file, 0o600);
    // The folders of Postgres, with their own user, are closed already: Postgres refuses others.
    if (entry.isDirectory() && ownFolders.includes(entry.name)) closeFolder(file);
  }
}

const ownFolders = ["redis", "storage"];
const ownFiles = /^(secret-key|(postgres|redis)\.log|(start|worker|web(-\d+)?)\.json)$/;

function closeFolder(folder: string): void {
  // A closed folder closes everything below it, so it is looked through only once.
  const isOpen = (statSync(folder).mode & 0o077) !== 0;
  chmodSync(folder, 0o700);
  if (!isOpen) return;
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const file = path.join(folder, entry.name);
    if (entry.isFile()) chmodSync(file, 0o600);
    if (entry.isDirectory()) closeFolder(file);
  }
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
