import { createHash } from "node:crypto";
import * as v from "valibot";
import { endSchema, ENTRIES } from "#src/backup/manifest.ts";
import { type BackupFile, readEntries } from "#src/backup/restore-backup.ts";
import { packEntry, TAR_END, type TarEntry } from "#src/backup/tar.ts";

/**
 * Writes what somebody else could have made of a backup that is not encrypted: its hash is right.
 * @param file where it is written.
 * @param change makes another entry of each one but the last.
 */
export async function craftBackup(
  backup: BackupFile,
  file: string,
  change: (entry: TarEntry) => TarEntry,
): Promise<BackupFile> {
  const hash = createHash("sha256");
  const parts: Uint8Array[] = [];
  for await (const entry of readEntries(backup)) {
    const isEnd = entry.name === ENTRIES.end;
    const packed = await packEntry(isEnd ? withHash(entry, hash.digest("hex")) : change(entry), new Date());
    if (!isEnd) hash.update(packed);
    parts.push(packed);
  }
  await Bun.write(file, Bun.gzipSync(Buffer.concat([...parts, TAR_END])));
  return { file, passphrase: null };
}

function withHash({ name, bytes }: TarEntry, sha256: string): TarEntry {
  const end = v.parse(endSchema, JSON.parse(new TextDecoder().decode(bytes)));
  return { name, bytes: new TextEncoder().encode(JSON.stringify({ ...end, sha256 })) };
}

/** What release 0.3.0 wrote of an external Postgres where there was a pg_dump: the file has its dump, and no rows. */
export function withDump({ name, bytes }: TarEntry): TarEntry {
  if (name.startsWith(ENTRIES.rows)) return { name: `pg_dump/${name.slice(-8)}`, bytes };
  if (name !== ENTRIES.manifest) return { name, bytes };
  const text = new TextDecoder().decode(bytes).replace('"database":"rows"', '"database":"pg_dump"');
  return { name, bytes: new TextEncoder().encode(text) };
}
