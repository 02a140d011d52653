import { index, pgTable, text } from "drizzle-orm/pg-core";
import { createdAt, identity, jsonb, refersTo, rowId } from "./columns.ts";
import { users } from "./users.ts";

/**
 * One action of an actor on a subject, with the subject's state before and after. Append-only; what is personal in it is in
 * `audit_personal`. It is never pruned or archived: the seals cover its rows, and would prove nothing without them. It grows with
 * what hosts do and not with the players: 65 MB for a year of shows of three hours a day.
 */
export const audit = pgTable(
  "audit",
  {
    id: identity(),
    /** Null: the system did it (a timer). */
    actorId: rowId(),
    /** The access token with which a program did it in the actor's name; null: the actor did it. */
    accessTokenId: rowId(),
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
    // Those of the site's audit: each filter finds the newest first, in any time.
    index("audit_time").on(table.createdAt, table.id),
    index("audit_action").on(table.action, table.createdAt, table.id),
    index("audit_kind").on(table.subjectType, table.createdAt, table.id),
    index("audit_actor").on(table.actorId, table.createdAt, table.id),
    index("audit_session_time").on(table.sessionId, table.createdAt, table.id),
  ],
);

/**
 * The personal values of an audit entry, such as an old username or the text of a message. They are apart from the entry because
 * they are deleted with the account of their user, and the entry is not.
 */
export const auditPersonal = pgTable(
  "audit_personal",
  {
    auditId: rowId()
      .primaryKey()
      .references(() => audit.id),
    /** The user whom they are about. */
    userId: refersTo(() => users.id),
    before: jsonb().notNull(),
    after: jsonb().notNull(),
  },
  (table) => [index("audit_personal_user").on(table.userId)],
);
