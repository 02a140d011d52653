import { randomUUID } from "node:crypto";
import { constants } from "node:fs";
import { lstat, mkdir, open, rename, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { S3Client } from "bun";
import { Semaphore } from "#db/pool/semaphore.ts";
import { refuseAway } from "#src/base/refusal.ts";
import { keepTrying, watchService } from "#src/base/service-watch.ts";
import type { Backend, Store } from "#src/base/store.ts";
import { UPLOAD_BYTES_MAX } from "#src/http/contract.ts";
import { type OutsideAnswer, requestOutside, startOf } from "#src/http/outside/request-outside.ts";
import type { StorageAddress } from "#src/settings/storage-address.ts";

// Decision: Bun signs an address for each request, and the product's own request sends it. Requests of Bun's client cannot be aborted:
// one that is never answered would keep its connection, and what it has read, for ever.

/** For how long an address is valid. The clocks of both sides may differ by as much. */
const EXPIRES_S = 900;

/** Requests at a time. The others wait, within their deadline. */
const AT_ONCE_MAX = 16;

/** An encoded picture may be a little longer than what was uploaded. */
const OBJECT_BYTES_MAX = 2 * UPLOAD_BYTES_MAX;

const isMissing = (error: unknown) => codeOf(error) === "ENOENT";
const codeOf = (error: unknown) => (error instanceof Error && "code" in error ? error.code : null);

/** The bucket did not do what it was asked. */
class BucketError extends Error {
  override readonly name = "BucketError";
  /** The code of S3, such as "AccessDenied"; "NotS3" for an answer of something else. */
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

/** Creates the store that the settings name. It opens no file and no connection before its first use. */
export function createStore(address: StorageAddress): Store {
  return guardStore(address.kind === "disk" ? createDiskBackend(address.folder) : createS3Backend(address));
}

/** Stores bytes as objects in a bucket of an S3-compatible service. */
function createS3Backend({
  prefix,
  kind: _kind,
  ...settings
}: Extract<StorageAddress, { kind: "s3" }>): Backend {
  const client = new S3Client(settings);
  const turns = new Semaphore(AT_ONCE_MAX);
  const send = async (method: "GET" | "PUT" | "DELETE", key: string, object?: StoredObject) => {
    const url = client.presign(`${prefix}${key}`, { method, expiresIn: EXPIRES_S });
    const headers = object === undefined ? {} : { "content-type": object.contentType };
    const answer = await requestOutside(
      { url, method, headers, ...(object !== undefined && { body: object.bytes }) },
      { publicOnly: false, turns, wholeBytesMax: OBJECT_BYTES_MAX },
    );
    refuseFailure(answer, method);
    return answer;
  };
  return {
    put: async (key, bytes, contentType) => void (await send("PUT", key, { bytes, contentType })),
    get: (key) => orMissing(async () => (await send("GET", key)).body),
    remove: async (key) => void (await orMissing(() => send("DELETE", key))),
  };
}

type StoredObject = { bytes: Uint8Array; contentType: string };

async function orMissing<Result>(request: () => Promise<Result>): Promise<Result | null> {
  try {
    return await request();
  } catch (error) {
    if (error instanceof BucketError && error.code === "NoSuchKey") return null;
    throw error;
  }
}

/** What is no success of S3 is a failure, whatever its status says: a proxy or a portal may answer for the service. */
function refuseFailure(answer: OutsideAnswer, method: string): void {
  const { status, headers } = answer;
  const isPage = headers["content-type"]?.startsWith("text/html") === true;
  const isOfS3 = !isPage && (method === "DELETE" || headers.etag !== undefined);
  if (status >= 200 && status < 300 && isOfS3) return;
  const code = codeIn(startOf(answer));
  throw code === null
    ? new BucketError("NotS3", `The address of STORAGE answers ${status}, and not as S3 does.`)
    : new BucketError(code, `The bucket answers ${status} ${code}.`);
}

/** The code of an error of S3; null if it is none. Of a signed address S3 says only in words that the clocks differ. */
function codeIn(answer: string): string | null {
  const code = /<Code>(\w{1,64})<\/Code>/.exec(answer)?.[1] ?? null;
  const isLate = code === "AccessDenied" && /Request (has expired|is not valid yet)/i.test(answer);
  return isLate ? "RequestTimeTooSkewed" : code;
}

// Decision: the folder of the storage may be a link, which an operator sets. What is in it may not: so nothing that was put there, such
// as by a restore of files, leads a write, a read or a deletion to another place.

/** Stores bytes as files `ab/cd/abcdef...` in a folder that only its owner can read. */
function createDiskBackend(folder: string): Backend {
  return {
    put: async (key, bytes) => {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      for (const inner of innerFolders(folder, key)) {
        await mkdir(inner, { mode: 0o700 }).catch(unlessThere);
        await requireFolder(inner);
      }
      const file = await fileOf(folder, key);
      // The file gets its final name only when it is complete.
      const partial = `${file}.${randomUUID()}`;
      try {
        await writeFile(partial, bytes, { flag: "wx", mode: 0o600, flush: true });
        await rename(partial, file);
      } catch (error) {
        await rm(partial, { force: true });
        throw error;
      }
    },
    get: async (key) => {
      try {
        const file = await open(await fileOf(folder, key), constants.O_RDONLY | constants.O_NOFOLLOW);
        try {
          return await file.readFile();
        } finally {
          await file.close();
        }
      } catch (error) {
        if (isMissing(error)) return null;
        throw error;
      }
    },
    remove: async (key) => {
      try {
        await rm(await fileOf(folder, key), { force: true });
      } catch (error) {
        if (!isMissing(error)) throw error;
      }
    },
  };
}

function innerFolders(folder: string, key: string): [string, string] {
  const outer = path.join(folder, key.slice(0, 2));
  return [outer, path.join(outer, key.slice(2, 4))];
}

/** The file of a key. Fails unless it is in folders of the storage itself. */
async function fileOf(folder: string, key: string): Promise<string> {
  const [outer, inner] = innerFolders(folder, key);
  await requireFolder(outer);
  await requireFolder(inner);
  return path.join(inner, key);
}

async function requireFolder(name: string): Promise<void> {
  if ((await lstat(name)).isDirectory()) return;
  throw new Error(`${name} is a link or a file where the storage has a folder. Remove it.`);
}

/** @throws what failed, unless it is there already. */
function unlessThere(error: unknown): void {
  if (codeOf(error) !== "EEXIST") throw error;
}

// Decision: whatever stores the bytes, its keys are checked here, an error of it is a 503 with its cause, and operators read what does
// not work. So neither a crafted backup nor a crafted row reaches anything else on the disk or in the bucket.

const OWN_KEY = /^[0-9a-f]{40}$/;
/** No picture is stored under it. Reading it shows whether the storage answers, writing it whether it takes anything. */
const UNUSED_KEY = "0".repeat(40);
/** While somebody wants to know, it is tried this often. */
const TRIED_EVERY_MS = 1_500;
/** A key that this program has not made. */
class ForeignKey extends Error {
  override readonly name = "ForeignKey";
}

export function isOwnKey(key: string): boolean {
  return OWN_KEY.test(key);
}

/** @returns a store that throws Refusal 503 while the backend does not work, and ForeignKey for a key that is not its own. */
function guardStore(backend: Backend): Store {
  const watch = watchService();
  // What has failed is asked again until it works: a read of the same picture; a write and a removal where no picture is.
  const guarded = <Result>(
    what: string,
    operation: () => Promise<Result>,
    again: () => Promise<unknown> = operation,
  ): Promise<Result> => watch.observe(what, operation, { again }).catch(refuseAway);
  const tryNow = () => void guarded("try", () => read(backend)).catch(() => undefined);
  return {
    put: async (key, bytes, contentType) => {
      requireOwn(key);
      await guarded(
        "put",
        () => backend.put(key, bytes, contentType),
        () => write(backend),
      );
    },
    get: async (key) => {
      requireOwn(key);
      return guarded("get", () => backend.get(key));
    },
    remove: async (key) => {
      requireOwn(key);
      await guarded(
        "remove",
        () => backend.remove(key),
        () => backend.remove(UNUSED_KEY),
      );
    },
    trouble: keepTrying(watch, tryNow, { well: TRIED_EVERY_MS, wrong: TRIED_EVERY_MS }),
  };
}

/**
 * A bucket tells a key without the right to list that what does not exist may not be read, as it tells a key without any right. So then
 * something is stored there, stays, and may be read or not.
 */
async function read(backend: Backend): Promise<void> {
  try {
    await backend.get(UNUSED_KEY);
  } catch (error) {
    if (codeOf(error) !== "AccessDenied") throw error;
    await write(backend);
    await backend.get(UNUSED_KEY);
  }
}

const write = (backend: Backend) => backend.put(UNUSED_KEY, new Uint8Array(), "application/octet-stream");

function requireOwn(key: string): void {
  if (!isOwnKey(key)) throw new ForeignKey("The key is none of this storage. Nothing was read or written.");
}
