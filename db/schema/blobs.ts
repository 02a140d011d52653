import { integer, pgTable, text } from "drizzle-orm/pg-core";
import { createdAt, identity, jsonb, rowId } from "./columns.ts";

/** One stored file; its bytes live in the storage, under `key`. */
export const blobs = pgTable("blobs", {
  id: identity(),
  key: text().notNull().unique(),
  filename: text().notNull(),
  contentType: text().notNull(),
  byteSize: integer().notNull(),
  /** Base64 of the MD5 of the bytes, as the direct upload protocol sends it. */
  checksum: text().notNull(),
  metadata: jsonb().notNull().default({}),
  uploadedById: rowId(),
  createdAt: createdAt(),
});
