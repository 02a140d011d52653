import { sql } from "drizzle-orm";
import { boolean, index, integer, pgTable, text } from "drizzle-orm/pg-core";
import { createdAt, identity, indexWhere, jsonb, moment, rowId } from "./columns.ts";

/** One stored file. Its bytes are in the storage, under `key`. */
export const blobs = pgTable(
  "blobs",
  {
    id: identity(),
    key: text().notNull().unique(),
    filename: text().notNull(),
    contentType: text().notNull(),
    byteSize: integer().notNull(),
    /** Base64 of the MD5 of the bytes, as the direct upload protocol sends it. */
    checksum: text().notNull(),
    metadata: jsonb().notNull().default({}),
    uploadedById: rowId(),
    /** True for a picture that this program has encoded. Browsers may show and cache it. */
    picture: boolean().notNull().default(false),
    createdAt: createdAt(),
    /** When the bytes arrived; null before. */
    storedAt: moment(),
    /** When a row first referred to it. A blob that no row refers to is deleted after a day. */
    attachedAt: moment(),
    /** When its last reference was removed, set in that transaction. Later the bytes are deleted first, then the row. */
    discardedAt: moment(),
  },
  (table) => [
    index("blobs_uploader").on(table.uploadedById, table.id),
    // Avatars whose sizes are still to be made.
    indexWhere("blobs_no_picture", sql`NOT picture`, table.attachedAt),
    // Pictures of questions, which are discarded when nothing has them any more.
    indexWhere("blobs_of_questions", sql`filename = 'question.webp'`, table.key),
    indexWhere("blobs_unattached", sql`attached_at IS NULL OR discarded_at IS NOT NULL`, table.createdAt),
  ],
);
