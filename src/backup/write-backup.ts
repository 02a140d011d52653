import { createHash } from "node:crypto";
import { and, isNotNull, isNull } from "drizzle-orm";
import { readContents } from "#db/backup/contents.ts";
import { inSnapshot, type Snapshot } from "#db/backup/snapshot.ts";
import { blobs } from "#db/schema/blobs.ts";
import type { Store } from "#src/base/store.ts";
import { streamParts } from "#src/base/stream-parts.ts";
import { createStore } from "#src/people/storage/create-store.ts";
import type { Env } from "#src/settings/env.ts";
import { encrypt } from "./encrypted.ts";
import { type BackupEnd, ENTRIES, FORMAT_VERSION, type Manifest, PART_BYTES } from "./manifest.ts";
import { backupFileAt, type StoredBackup } from "./places.ts";
import { BackupRefused } from "./refusal.ts";
import { packEntry, TAR_END, type TarEntry } from "./tar.ts";

// Decision: a backup needs nothing but this program: a tar archive, compressed, encrypted in the age format, with the rows as COPY
// writes them in one snapshot. So what one Postgres wrote another version of it reads, whatever client programs a machine has.

export type BackupPlan = {
  /** A new file. */
  file: string;
  /** What writes it, where it is no file of this machine. */
  write?: StoredBackup["write"];
  /** Null: not encrypted. */
  passphrase: string | null;
  /** See encrypted.ts. */
  workFactor?: number;
  uploads: boolean;
  secrets: boolean;
  /** Called with a line about each longer step. */
  say: (line: string) => void;
};

export type WrittenBackup = { manifest: Manifest; bytes: number; rows: number };

/**
 * Writes a backup of the database, and of what else the plan names, into a file. The product may run: the rows are of one
 * moment, and nothing waits.
 * @throws BackupRefused if the file exists, or if secrets would be written without encryption.
 */
export async function writeBackup(
  env: Pick<Env, "ownerDatabaseUrl" | "storage" | "secretKey">,
  plan: BackupPlan,
): Promise<WrittenBackup> {
  if (plan.secrets && plan.passphrase === null) {
    throw new BackupRefused(
      "Secrets are written only into an encrypted backup. Set BACKUP_PASSPHRASE, or add --encrypt. Nothing was written.",
    );
  }
  return inSnapshot(env.ownerDatabaseUrl, async (snapshot) => {
    const sources = await describeSources(env, plan, snapshot);
    const counts = new Map<string, number>();
    const archive = packArchive(collectEntries(sources, counts), sources.manifest, counts);
    const packed = streamParts(archive).pipeThrough(new CompressionStream("gzip"));
    const stream =
      plan.passphrase === null ? packed : await encrypt(packed, { ...plan, passphrase: plan.passphrase });
    const bytes = await (plan.write ?? backupFileAt(plan.file).write)(stream);
    const rows = [...counts.values()].reduce((sum, count) => sum + count, 0);
    return { manifest: sources.manifest, bytes, rows };
  });
}

async function describeSources(
  env: Pick<Env, "ownerDatabaseUrl" | "storage" | "secretKey">,
  { uploads, secrets, say }: BackupPlan,
  snapshot: Snapshot,
): Promise<Sources> {
  const contents = await readContents(snapshot.db);
  const manifest: Manifest = {
    format: "called-it-backup",
    formatVersion: FORMAT_VERSION,
    createdAt: new Date().toISOString(),
    database: "rows",
    contents,
    uploads,
    secrets,
  };
  return { snapshot, manifest, store: createStore(env.storage), secretKey: env.secretKey, say };
}

/** The bytes of the archive. Its last entry has the hash of everything before it. */
async function* packArchive(
  entries: AsyncIterable<TarEntry>,
  { createdAt }: Manifest,
  counts: ReadonlyMap<string, number>,
): AsyncGenerator<Uint8Array> {
  const hash = createHash("sha256");
  const modifiedAt = new Date(createdAt);
  for await (const entry of entries) {
    const bytes = await packEntry(entry, modifiedAt);
    hash.update(bytes);
    yield bytes;
  }
  const end: BackupEnd = { sha256: hash.digest("hex"), rows: Object.fromEntries(counts) };
  yield await packEntry({ name: ENTRIES.end, bytes: asJson(end) }, modifiedAt);
  yield TAR_END;
}

type Sources = {
  snapshot: Snapshot;
  manifest: Manifest;
  store: Store;
  secretKey: string;
  /** Called with a line about each longer step. */
  say: (line: string) => void;
};

/**
 * Reads all entries of a backup but the last. Uploads are before the rows, so that a restore writes the rows last.
 * @param counts gets how many rows each table has.
 */
async function* collectEntries(sources: Sources, counts: Map<string, number>): AsyncGenerator<TarEntry> {
  const { manifest, secretKey } = sources;
  yield { name: ENTRIES.manifest, bytes: asJson(manifest) };
  if (manifest.secrets) yield { name: ENTRIES.secretKey, bytes: new TextEncoder().encode(secretKey) };
  if (manifest.uploads) yield* collectUploads(sources);
  yield* collectRows(sources, counts);
}

function asJson(value: unknown): Uint8Array {
  return new TextEncoder().encode(JSON.stringify(value));
}

/** An upload that is removed while the backup runs is left out, like one that is removed later. */
async function* collectUploads({ snapshot, store, say }: Sources): AsyncGenerator<TarEntry> {
  const stored = await snapshot.db
    .select({ key: blobs.key, contentType: blobs.contentType })
    .from(blobs)
    .where(and(isNotNull(blobs.storedAt), isNull(blobs.discardedAt)))
    .orderBy(blobs.id);
  say(`${stored.length} uploads`);
  const types = Object.fromEntries(stored.map(({ key, contentType }) => [key, contentType]));
  yield { name: ENTRIES.uploadTypes, bytes: asJson(types) };
  for (const { key } of stored) {
    const bytes = await store.get(key);
    if (bytes !== null) yield { name: `${ENTRIES.uploads}${key}`, bytes };
  }
}

async function* collectRows(
  { snapshot, manifest, say }: Sources,
  counts: Map<string, number>,
): AsyncGenerator<TarEntry> {
  for (const table of manifest.contents.tables) {
    counts.set(table.name, 0);
    const folder = `${ENTRIES.rows}${table.name}/`;
    for await (const entry of inParts(folder, snapshot.copyTable(table))) {
      counts.set(table.name, (counts.get(table.name) ?? 0) + countLines(entry.bytes));
      yield entry;
    }
    say(`${table.name}: ${counts.get(table.name)} rows`);
  }
}

/** Numbered entries of about PART_BYTES. A stream without bytes has none. */
async function* inParts(folder: string, stream: AsyncIterable<Uint8Array>): AsyncGenerator<TarEntry> {
  let waiting: Uint8Array[] = [];
  let size = 0;
  let number = 0;
  const part = () => ({
    name: `${folder}${String(number++).padStart(8, "0")}`,
    bytes: Buffer.concat(waiting),
  });
  for await (const bytes of stream) {
    waiting.push(bytes);
    size += bytes.length;
    if (size < PART_BYTES) continue;
    yield part();
    waiting = [];
    size = 0;
  }
  if (size > 0) yield part();
}

/** A line break inside of a value is written as \n, so each line is a row. */
function countLines(bytes: Uint8Array): number {
  return bytes.reduce((lines, byte) => (byte === 10 ? lines + 1 : lines), 0);
}
