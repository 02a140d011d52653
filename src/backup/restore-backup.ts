import { createHash } from "node:crypto";
import * as v from "valibot";
import { loadDatabase, type RowsPart } from "#db/backup/load-database.ts";
import type { Store } from "#src/base/store.ts";
import { streamParts } from "#src/base/stream-parts.ts";
import { isOwnKey } from "#src/people/storage/create-store.ts";
import { decrypt, isEncrypted } from "./encrypted.ts";
import {
  type BackupEnd,
  endSchema,
  ENTRIES,
  type Manifest,
  manifestSchema,
  uploadTypesSchema,
} from "./manifest.ts";
import { backupFileAt, type StoredBackup } from "./places.ts";
import { BackupRefused, damaged } from "./refusal.ts";
import { readTar, type TarEntry } from "./tar.ts";

/** Where a backup is restored, and what was found when it was checked. */
export type RestorePlan = {
  backup: BackupFile;
  manifest: Manifest;
  end: BackupEnd;
  /** The owner of an empty database. */
  databaseUrl: string;
  store: Store;
  /** Called with the secret key of the backup, if it has one. */
  keepSecretKey: (secretKey: string) => void;
  say: (line: string) => void;
};

/**
 * Restores a backup that was checked: its uploads, then its database in one transaction. After an error the database is empty, and
 * the uploads of this restore are removed.
 */
export async function restoreBackup(plan: RestorePlan): Promise<void> {
  const stored: string[] = [];
  try {
    const entries = restoreFiles(plan, stored);
    const expected = { contents: plan.manifest.contents, rows: plan.end.rows };
    await loadDatabase(plan.databaseUrl, expected, partsOf(entries, plan.say));
  } catch (error) {
    await Promise.allSettled(stored.map((key) => plan.store.remove(key)));
    throw error;
  }
}

/** Stores the uploads and the secret key, and passes on the entries of the database, which follow them. */
async function* restoreFiles(plan: RestorePlan, stored: string[]): AsyncGenerator<TarEntry> {
  let types: v.InferOutput<typeof uploadTypesSchema> = {};
  for await (const entry of readEntries(plan.backup)) {
    const { name, bytes } = entry;
    if (name === ENTRIES.secretKey) plan.keepSecretKey(new TextDecoder().decode(bytes));
    else if (name === ENTRIES.uploadTypes) types = v.parse(uploadTypesSchema, parseJson(bytes));
    else if (name.startsWith(ENTRIES.uploads)) {
      const key = name.slice(ENTRIES.uploads.length);
      stored.push(key);
      await plan.store.put(key, bytes, types[key] ?? "application/octet-stream");
    } else if (name.startsWith(ENTRIES.rows)) yield entry;
  }
}

async function* partsOf(
  entries: AsyncIterable<TarEntry>,
  say: (line: string) => void,
): AsyncGenerator<RowsPart> {
  let last = "";
  for await (const { name, bytes } of entries) {
    const [table = ""] = name.slice(ENTRIES.rows.length).split("/");
    if (table !== last) say(table);
    last = table;
    yield { table, bytes };
  }
}

export type BackupFile = {
  file: string;
  passphrase: string | null;
  /** What reads it, where it is no file of this machine. */
  bytes?: StoredBackup["bytes"];
};

const GZIP_MAGIC = [0x1f, 0x8b];

/** What is known of a manifest that this release does not read. */
const otherManifest = v.object({
  format: v.literal("called-it-backup"),
  database: v.optional(v.string()),
});

/**
 * Reads a whole backup and checks that it is complete and unchanged, before anything is restored from it.
 * @throws BackupRefused if the file is no backup, of another format, cut off or changed, or if the passphrase is wrong.
 */
export async function checkBackup(backup: BackupFile): Promise<{ manifest: Manifest; end: BackupEnd }> {
  const hash = createHash("sha256");
  let manifest: Manifest | null = null;
  let end: BackupEnd | null = null;
  try {
    for await (const entry of readTar(await openStream(backup), (bytes) => hash.update(bytes))) {
      if (manifest === null) manifest = readManifest(entry, backup.file);
      else if (entry.name === ENTRIES.end) end = v.parse(endSchema, parseJson(entry.bytes));
      else if (entry.name.startsWith(ENTRIES.uploads)) refuseForeignUpload(entry.name, backup.file);
    }
  } catch (error) {
    // Decompression and decryption fail with errors of their own where the file is cut off or changed.
    throw error instanceof BackupRefused ? error : Object.assign(damaged(backup.file), { cause: error });
  }
  if (manifest === null || end === null || end.sha256 !== hash.digest("hex")) throw damaged(backup.file);
  return { manifest, end };
}

/** An upload of a backup has a key that this program has made. Another one could name any file. */
function refuseForeignUpload(name: string, file: string): void {
  if (isOwnKey(name.slice(ENTRIES.uploads.length))) return;
  throw new BackupRefused(
    `${file} has an upload with a name that no backup of Called It has, so somebody else wrote it. Take another copy of the backup. ` +
      "Nothing was written.",
  );
}

export async function* readEntries(backup: BackupFile): AsyncGenerator<TarEntry> {
  yield* readTar(await openStream(backup));
}

function parseJson(bytes: Uint8Array): unknown {
  return JSON.parse(new TextDecoder().decode(bytes));
}

async function openStream({
  file,
  passphrase,
  bytes = backupFileAt(file).bytes,
}: BackupFile): Promise<AsyncIterable<Uint8Array>> {
  if (!(await isEncrypted(bytes))) return unpack(bytes, file);
  if (passphrase === null) {
    throw new BackupRefused(
      `${file} is encrypted. Set its passphrase in BACKUP_PASSPHRASE, or run this in a terminal. Nothing was written.`,
    );
  }
  return streamParts(await decrypt(bytes.stream(), passphrase)).pipeThrough(new DecompressionStream("gzip"));
}

async function unpack(bytes: StoredBackup["bytes"], file: string): Promise<AsyncIterable<Uint8Array>> {
  const start = await bytes.start(GZIP_MAGIC.length);
  if (!GZIP_MAGIC.every((byte, index) => start[index] === byte)) {
    throw new BackupRefused(`${file} is not a backup of Called It. Nothing was written.`);
  }
  return streamParts(bytes.stream()).pipeThrough(new DecompressionStream("gzip"));
}

function readManifest(entry: TarEntry, file: string): Manifest {
  if (entry.name !== ENTRIES.manifest) throw damaged(file);
  const read = parseJson(entry.bytes);
  const result = v.safeParse(manifestSchema, read);
  if (result.success) return result.output;
  const other = v.safeParse(otherManifest, read);
  if (!other.success) throw damaged(file);
  const cure =
    other.output.database === "pg_dump"
      ? "holds a dump by pg_dump, which this release does not read. Restore it with release 0.3.0, then upgrade: see deploy/backup.md."
      : "has a format that this release does not read. Restore it with the release that made it.";
  throw new BackupRefused(`${file} ${cure} Nothing was written.`);
}
