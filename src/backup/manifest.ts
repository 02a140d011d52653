import * as v from "valibot";
import { contentsSchema } from "#db/backup/contents.ts";
import { isOwnKey } from "#src/people/storage/create-store.ts";
import { FORMAT_VERSION } from "./contract.ts";

/** The first entry of a backup: what it is, and what it has. */
export const manifestSchema = v.object({
  format: v.literal("called-it-backup"),
  formatVersion: v.literal(FORMAT_VERSION),
  createdAt: v.pipe(v.string(), v.isoTimestamp()),
  /** How the database is written: the rows as COPY writes them. */
  database: v.literal("rows"),
  contents: contentsSchema,
  /** True if the bytes of the uploads are in it. */
  uploads: v.boolean(),
  /** True if the secret key is in it. */
  secrets: v.boolean(),
});
export type Manifest = v.InferOutput<typeof manifestSchema>;

/** The last entry of a backup. */
export const endSchema = v.object({
  /** The SHA-256 of all bytes of the archive before this entry, as hex. */
  sha256: v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/)),
  /** How many rows each table has. */
  rows: v.record(v.string(), v.number()),
});
export type BackupEnd = v.InferOutput<typeof endSchema>;

/** The content type of each upload, by its key. */
export const uploadTypesSchema = v.record(v.pipe(v.string(), v.check(isOwnKey)), v.string());
