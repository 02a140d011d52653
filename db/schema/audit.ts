import { index, pgTable, text } from "drizzle-orm/pg-core";
import { createdAt, identity, jsonb, rowId } from "./columns.ts";

/** One action of an actor on a subject, with the subject's state before and after. Append-only. */
export const audit = pgTable(
  "audit",
  {
    id: identity(),
    /** Null: the system did it (a timer). */
    actorId: rowId(),
    action: text().notNull(),
    subjectType: text().notNull(),
    subjectId: rowId().notNull(),
    sessionId: rowId(),
    before: jsonb(),
    after: jsonb(),
    reason: text(),
    createdAt: createdAt(),
  },
  (table) => [
    index("audit_subject").on(table.subjectType, table.subjectId),
    index("audit_session").on(table.sessionId, table.id),
  ],
);
