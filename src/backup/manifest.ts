import * as v from "valibot";
import { contentsSchema } from "#db/backup/contents.ts";
import { isOwnKey } from "#src/people/storage/create-store.ts";

/** Increase it when a release can no longer read the backups of earlier ones. */
export const FORMAT_VERSION = 1;

/**
 * The entries of a backup, which is a tar archive, compressed with gzip and with a passphrase encrypted in the age format. So it
 * can be read without this program: `age -d FILE | tar -xz`.
 */
export const ENTRIES = {
  manifest: "manifest.json",
  secretKey: "secrets/secret-key",
  uploadTypes: "uploads.json",
  /** Followed by the key of an upload. */
  uploads: "uploads/",
  /** Followed by the table and the number of the part. */
  rows: "rows/",
  end: "end.json",
} as const;

/** Rows are written in parts of about this size. */
export const PART_BYTES = 1_048_576;
/** No entry is larger: an upload has 5 MB at most. */
export const ENTRY_BYTES_MAX = 64 * 1_048_576;

/** The first entry of a backup: what it is, and what it has. */
export const manifestSchema = v.object({
  format: v.literal("called-it-backup"),
  formatVersion: v.literal(FORMAT_VERSION),
  createdAt: v.pipe(v.string(), v.isoTimestamp()),
  /** How the database is written: the rows as COPY writes them. */
  database: v.literal("rows"),
  contents: contentsSchema,
  uploads: v.boolean(),
  secrets: v.boolean(),
});
export type Manifest = v.InferOutput<typeof manifestSchema>;

export const endSchema = v.object({
  /** The SHA-256 of all bytes of the archive before this entry, as hex. */
  sha256: v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/)),
  rows: v.record(v.string(), v.number()),
});
export type BackupEnd = v.InferOutput<typeof endSchema>;

export const uploadTypesSchema = v.record(v.pipe(v.string(), v.check(isOwnKey)), v.string());
