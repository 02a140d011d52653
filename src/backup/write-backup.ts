import { createHash } from "node:crypto";
import { readContents } from "#db/backup/contents.ts";
import { inSnapshot, type Snapshot } from "#db/backup/snapshot.ts";
import { createStore } from "#src/people/storage/create-store.ts";
import type { Env } from "#src/settings/env.ts";
import { asJson, collectEntries, type Sources } from "./collect-entries.ts";
import { ENTRIES, FORMAT_VERSION } from "./contract.ts";
import { encrypt } from "./encrypted.ts";
import type { BackupEnd, Manifest } from "./manifest.ts";
import { BackupRefused } from "./refusal.ts";
import { streamOf } from "./stream-of.ts";
import { packEntry, TAR_END, type TarEntry } from "./tar.ts";
import { writeFileOf } from "./write-file.ts";

// Decision: a backup needs nothing but this program: a tar archive, compressed, encrypted in the age format, with the rows as COPY
// writes them in one snapshot. So what one Postgres wrote another version of it reads, whatever client programs a machine has.

/** What a backup is to have, and where it is written. */
export type BackupPlan = {
  /** A new file. */
  file: string;
  /** Null: not encrypted. */
  passphrase: string | null;
  /** See encrypted.ts. */
  workFactor?: number;
  uploads: boolean;
  secrets: boolean;
  /** Called with a line about each longer step. */
  say: (line: string) => void;
};

/** A backup that was written. */
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
    const packed = streamOf(archive).pipeThrough(new CompressionStream("gzip"));
    const stream =
      plan.passphrase === null ? packed : await encrypt(packed, { ...plan, passphrase: plan.passphrase });
    const bytes = await writeFileOf(plan.file, stream);
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
    for (const bytes of packEntry(entry, modifiedAt)) {
      hash.update(bytes);
      yield bytes;
    }
  }
  const end: BackupEnd = { sha256: hash.digest("hex"), rows: Object.fromEntries(counts) };
  yield* packEntry({ name: ENTRIES.end, bytes: asJson(end) }, modifiedAt);
  yield TAR_END;
}
