import { sql } from "drizzle-orm";
import { type AnyPgColumn, check, customType, pgTable, text, unique } from "drizzle-orm/pg-core";
import { cents, identity, momentOfNow, rowId } from "./columns.ts";

const ids = customType<{ data: string }>({ dataType: () => "int8multirange" });
const transactionId = customType<{ data: string }>({ dataType: () => "xid8" });

/**
 * A seal over the journals and audit rows that were written since the seal before it, and over that seal. Append-only. So the
 * newest hash covers all of them: an old row cannot be changed, removed or inserted without another hash.
 *
 * Rows become visible out of the order of their ids. So a seal lists the ids that it covers, and keeps those below its highest
 * that were not there yet: a later seal covers them, until no transaction can still write them.
 */
export const journalSeals = pgTable(
  "journal_seals",
  {
    id: identity(),
    /** The seal before it; null for the first one. Unique, null included: so the seals are one chain. */
    previousId: rowId().references((): AnyPgColumn => journalSeals.id),
    /** SHA-256 of the hash before it and of its rows: db/sql/functions/hash-sealed.sql. Hexadecimal. */
    hash: text().notNull().unique(),
    /** The ids of the journals that it covers. */
    journals: ids().notNull(),
    /** The ids of the audit rows that it covers. */
    audits: ids().notNull(),
    /** The highest id of a journal that this seal or one before it covers. */
    throughJournal: cents().notNull(),
    throughAudit: cents().notNull(),
    /** Every transaction below it had begun when the rows were read: pg_snapshot_xmax. */
    horizon: transactionId().notNull(),
    sealedAt: momentOfNow(),
  },
  (table) => [
    check("journal_seals_hash", sql`${table.hash} ~ '^[0-9a-f]{64}$'`),
    unique("journal_seals_chain").on(table.previousId).nullsNotDistinct(),
  ],
);
