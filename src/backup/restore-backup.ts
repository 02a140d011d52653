import * as v from "valibot";
import { loadDatabase, type RowsPart } from "#db/backup/load-database.ts";
import type { Store } from "#src/base/store.ts";
import { ENTRIES } from "./contract.ts";
import { type BackupEnd, type Manifest, uploadTypesSchema } from "./manifest.ts";
import { type BackupFile, parseJson, readEntries } from "./read-backup.ts";
import type { TarEntry } from "./tar.ts";

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
 * @throws DatabaseRefused if the database is not empty, or if the backup is of a newer release.
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
