import { check, index, pgTable, text, uniqueIndex } from "drizzle-orm/pg-core";
import { tokenKinds } from "../lists/mails.ts";
import { createdAt, identity, moment, oneOf, refersTo } from "./columns.ts";
import { users } from "./users.ts";

/** The secret of a link in a mail, as a keyed hash. A user has at most one of each kind; a new one replaces the old. */
export const tokens = pgTable(
  "tokens",
  {
    id: identity(),
    userId: refersTo(() => users.id),
    kind: text({ enum: tokenKinds }).notNull(),
    hash: text().notNull(),
    /** The address that the mail was sent to, and that the token confirms. */
    email: text().notNull(),
    expiresAt: moment().notNull(),
    /**
     * A used token does nothing. It stays until it expires, because mail scanners open links before their readers do: the
     * second use must get the same answer.
     */
    usedAt: moment(),
    createdAt: createdAt(),
  },
  (table) => [
    uniqueIndex("tokens_hash").on(table.hash),
    uniqueIndex("tokens_user_kind").on(table.userId, table.kind),
    index("tokens_expiry").on(table.expiresAt),
    check("tokens_kind_known", oneOf(table.kind, tokenKinds)),
  ],
);
