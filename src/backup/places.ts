import { randomUUID } from "node:crypto";
import { existsSync, statSync } from "node:fs";
import { open, readdir, rename, rm } from "node:fs/promises";
import { hostname } from "node:os";
import path from "node:path";
import { S3Client } from "bun";
import { explainError } from "#src/base/describe-error.ts";
import { streamParts } from "#src/base/stream-parts.ts";
import { readStorageAddress, type StorageAddress } from "#src/settings/storage-address.ts";
import { BackupRefused } from "./refusal.ts";

// Decision: Bun's own client sends a backup to a bucket. It has the size of no backup in memory: an upload is a few parts at a time, each
// read when the one before it was taken, and a download is asked for in parts. The object is there when its last part is.

const PART_BYTES = 16 * 1_048_576;
const PARTS_AT_ONCE = 2;
/** Requests of Bun's client have no deadline. A bucket that moves nothing for so long is given up. */
const SILENT_MS = 300_000;
/** What names a backup: `s3://.../2026-11-22-043000.backup` is one, `s3://.../nightly` a place for many. */
const ENDING = ".backup";
/** Names that this program has given, by UTC. They sort by their age. No other object or file of a place is removed. */
const OWN_NAME = /^\d{4}-\d\d-\d\d-\d{6}\.backup$/;

type Bytes = {
  /** The first bytes. */
  start: (length: number) => Promise<Uint8Array>;
  stream: () => ReadableStream<Uint8Array>;
};

/** One backup, written or not, at its place. */
export type StoredBackup = {
  /** How it is called, without the key of its bucket. */
  file: string;
  /** Where it lies, as operators on other machines are told. */
  lies: string;
  bytes: Bytes;
  /** Writes all bytes or nothing. @throws BackupRefused if it exists, or if the bucket refuses. */
  write: (stream: ReadableStream<Uint8Array>) => Promise<number>;
  remove: () => Promise<void>;
};

type Place = {
  name: string;
  at: (backup: string) => StoredBackup;
  list: () => Promise<string[]>;
};

/** A place, and the one backup in it that an address names; null: it names the place. */
export type BackupAddress = { place: Place; named: string | null };

type Keys = { accessKeyId: string | undefined; secretAccessKey: string | undefined };

/** Whatever the file is called. */
export const backupFileAt = (file: string): StoredBackup =>
  folderAt(path.dirname(file)).at(path.basename(file));

/**
 * Reads an address of backups: a file, a folder, or `s3://key:secret@host/bucket/prefix`, as STORAGE has it.
 * @param keys for a bucket whose address carries none.
 * @throws BackupRefused if it cannot be read.
 */
export function readBackupAddress(address: string, keys: Keys, silentMs = SILENT_MS): BackupAddress {
  if (!address.startsWith("s3:")) {
    const file = path.resolve(address);
    const isFolder = existsSync(file) && statSync(file).isDirectory();
    return isFolder
      ? { place: folderAt(file), named: null }
      : { place: folderAt(path.dirname(file)), named: path.basename(file) };
  }
  const bucket = readStorageAddress(address, { dataDir: "", ...keys });
  if (bucket?.kind !== "s3") {
    throw new BackupRefused(
      "The address of the bucket cannot be read. It must be s3://key:secret@host/bucket/prefix?region=name; key and secret may also be " +
        "in AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY. Nothing was written.",
    );
  }
  const folders = bucket.prefix.split("/").slice(0, -1);
  const named = folders.at(-1)?.endsWith(ENDING) === true ? folders.pop() : undefined;
  return {
    place: bucketAt({ ...bucket, prefix: folders.map((each) => `${each}/`).join("") }, silentMs),
    named: named ?? null,
  };
}

/** @throws BackupRefused if the address does not name a place for many. */
export function requirePlace({ place, named }: BackupAddress): void {
  if (named === null) return;
  throw new BackupRefused(
    `BACKUP_TO must be a folder that exists, or a prefix in a bucket, and ${place.at(named).file} is none. Create the folder, or correct ` +
      "the setting. Nothing was written.",
  );
}

/** The backup to write: the named one, or a new one of this moment. */
export function newBackup({ place, named }: BackupAddress): StoredBackup {
  const [day, time = ""] = new Date().toISOString().slice(0, -5).split("T");
  return place.at(named ?? `${day}-${time.replaceAll(":", "")}${ENDING}`);
}

/** The backup to read: the named one, or the newest. @throws BackupRefused if there is none. */
export async function findBackup({ place, named }: BackupAddress): Promise<StoredBackup> {
  const name = named ?? (await listOwn(place)).at(-1);
  if (name !== undefined && (named === null || (await place.list()).includes(name))) return place.at(name);
  const what = named === null ? `backup in ${place.name}` : `file ${place.at(named).file}`;
  throw new BackupRefused(`There is no ${what}. Nothing was written.`);
}

/**
 * Removes the oldest backups of a place. The one that was just written stays, also if the clock was ahead when others got their names.
 * @param keep how many stay, with that one.
 * @returns the names of those that were removed.
 */
export async function removeOldest(
  { place }: BackupAddress,
  written: string,
  keep: number,
): Promise<string[]> {
  const others = (await listOwn(place)).filter((name) => place.at(name).lies !== written);
  const oldest = others.slice(0, Math.max(0, others.length - keep + 1));
  for (const name of oldest) await place.at(name).remove();
  return oldest;
}

/**
 * Writes a small file into a place for many, reads it, finds it in the list and removes it.
 * @returns what the place is called.
 * @throws BackupRefused with what the bucket answers, or if what was written is not there.
 */
export async function tryPlace(address: BackupAddress): Promise<string> {
  requirePlace(address);
  const { place } = address;
  const name = `.tried-${randomUUID()}`;
  const tried = place.at(name);
  const size = await tried.write(new Blob(["tried"]).stream());
  try {
    const read = new TextDecoder().decode(await tried.bytes.start(size));
    if (read === "tried" && (await place.list()).includes(name)) return place.name;
    throw new BackupRefused(`${tried.file} was written, and cannot be read or is not in the list.`);
  } finally {
    await tried.remove();
  }
}

const listOwn = async (place: Place) => (await place.list()).filter((name) => OWN_NAME.test(name)).toSorted();

function folderAt(folder: string): Place {
  const at = (backup: string): StoredBackup => {
    const file = path.join(folder, backup);
    return {
      file,
      lies: `${file} on ${hostname()}`,
      bytes: {
        start: (length) => Bun.file(file).slice(0, length).bytes(),
        stream: () => Bun.file(file).stream(),
      },
      write: (stream) => writeFileOf(file, stream),
      remove: () => rm(file),
    };
  };
  return { name: folder, at, list: () => readdir(folder).catch(() => []) };
}

/**
 * Writes a stream into a new file that only its owner can read. The file gets its name when all of it is on the disk.
 * @throws BackupRefused if there is a file of this name.
 */
async function writeFileOf(file: string, stream: AsyncIterable<Uint8Array>): Promise<number> {
  if (await Bun.file(file).exists()) throw existsAlready(file);
  const partial = `${file}.partial`;
  await rm(partial, { force: true });
  const handle = await open(partial, "wx", 0o600);
  let size = 0;
  try {
    for await (const bytes of stream) {
      await handle.writeFile(bytes);
      size += bytes.length;
    }
    await handle.sync();
    await handle.close();
    await rename(partial, file);
    return size;
  } catch (error) {
    await handle.close().catch(() => undefined);
    await rm(partial, { force: true });
    throw error;
  }
}

const existsAlready = (file: string) =>
  new BackupRefused(`${file} exists already. Choose another name, or remove it. Nothing was written.`);

function bucketAt(
  { prefix, kind: _kind, ...settings }: Extract<StorageAddress, { kind: "s3" }>,
  silentMs: number,
): Place {
  const client = new S3Client(settings);
  const name = `s3://${new URL(settings.endpoint).host}/${settings.bucket}/${prefix}`;
  const ask = <Result>(file: string, work: () => Promise<Result>) =>
    told(file, silentMs, ({ moves }) => (moves(), work()));
  const list = (from: string) => ask(name, () => listObjects(client, `${prefix}${from}`));
  const at = (backup: string): StoredBackup => {
    const [key, file] = [`${prefix}${backup}`, `${name}${backup}`];
    const find = async () => (await list(backup)).find((each) => each.key === key);
    const read = (from: number, to: number) => ask(file, () => client.file(key).slice(from, to).bytes());
    return {
      file,
      lies: file,
      bytes: { start: (length) => read(0, length), stream: () => streamParts(readParts(read, find)) },
      write: async (stream) => {
        if ((await find()) !== undefined) throw existsAlready(file);
        const parts = { partSize: PART_BYTES, queueSize: PARTS_AT_ONCE, type: "application/octet-stream" };
        // A stream that fails gives the upload up. A writer of this client would finish it.
        return told(file, silentMs, (watch) =>
          client.write(key, new Response(streamParts(watched(stream, watch))), parts),
        );
      },
      remove: () => ask(file, () => client.delete(key)),
    };
  };
  return { name, at, list: async () => (await list("")).map(({ key }) => key.slice(prefix.length)) };
}

type StoredObject = { key: string; size?: number };

async function listObjects(client: S3Client, prefix: string): Promise<StoredObject[]> {
  const found: StoredObject[] = [];
  let next: string | undefined;
  do {
    const answer = await client.list({ prefix, ...(next !== undefined && { continuationToken: next }) });
    found.push(...(answer.contents ?? []));
    next = answer.isTruncated === true ? answer.nextContinuationToken : undefined;
  } while (next !== undefined);
  return found;
}

async function* readParts(
  read: (from: number, to: number) => Promise<Uint8Array>,
  find: () => Promise<StoredObject | undefined>,
): AsyncGenerator<Uint8Array> {
  const size = (await find())?.size ?? 0;
  for (let at = 0; at < size; at += PART_BYTES) yield await read(at, Math.min(size, at + PART_BYTES));
}

/** `moves`: the bucket has to do something from now on; `rests`: it waits for this machine. */
type Watch = { moves: () => void; rests: () => void };

/** The stream, whose reader is watched while it does not ask for more. */
async function* watched(
  stream: ReadableStream<Uint8Array>,
  { moves, rests }: Watch,
): AsyncGenerator<Uint8Array> {
  for await (const bytes of stream) {
    moves();
    yield bytes;
    rests();
  }
  moves();
}

/** @throws BackupRefused with what the bucket answers, or if it is silent; an error of something else as it is. */
async function told<Result>(
  file: string,
  silentMs: number,
  work: (watch: Watch) => Promise<Result>,
): Promise<Result> {
  const { promise: silence, reject } = Promise.withResolvers<never>();
  let timer: Timer | undefined;
  const rests = () => clearTimeout(timer);
  const moves = () => {
    rests();
    timer = setTimeout(() => reject(new BackupRefused(`${file}: the bucket does not answer.`)), silentMs);
  };
  try {
    return await Promise.race([work({ moves, rests }), silence]);
  } catch (error) {
    if (!(error instanceof Error && error.name === "S3Error" && "code" in error)) throw error;
    throw new BackupRefused(`${file}: the bucket answers ${String(error.code)}. ${explainError(error)}`, {
      cause: error,
    });
  } finally {
    rests();
  }
}
