import { and, isNotNull, isNull } from "drizzle-orm";
import type { Snapshot } from "#db/backup/snapshot.ts";
import { blobs } from "#db/schema/blobs.ts";
import type { Store } from "#src/base/store.ts";
import { ENTRIES, PART_BYTES } from "./contract.ts";
import type { Manifest } from "./manifest.ts";
import type { TarEntry } from "./tar.ts";

/** What the entries of a backup are read from. */
export type Sources = {
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
export async function* collectEntries(
  sources: Sources,
  counts: Map<string, number>,
): AsyncGenerator<TarEntry> {
  const { manifest, secretKey } = sources;
  yield { name: ENTRIES.manifest, bytes: asJson(manifest) };
  if (manifest.secrets) yield { name: ENTRIES.secretKey, bytes: new TextEncoder().encode(secretKey) };
  if (manifest.uploads) yield* collectUploads(sources);
  yield* collectRows(sources, counts);
}

export function asJson(value: unknown): Uint8Array {
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
