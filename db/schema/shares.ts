import { sql } from "drizzle-orm";
import { check, index, pgTable, text, uniqueIndex } from "drizzle-orm/pg-core";
import { shareKinds } from "../lists/shares.ts";
import { calls } from "./calls.ts";
import { createdAt, identity, indexWhere, moment, oneOf, refersTo, rowId } from "./columns.ts";
import { sessions } from "./sessions.ts";
import { users } from "./users.ts";

/**
 * A link by which a player shows something of theirs to everybody who has it. The token is stored as it is, because its owner
 * can copy the link again. It protects only what is in this database anyway.
 */
export const shares = pgTable(
  "shares",
  {
    id: identity(),
    userId: refersTo(() => users.id),
    kind: text({ enum: shareKinds }).notNull(),
    callId: rowId().references(() => calls.id),
    sessionId: rowId().references(() => sessions.id),
    /** The random part of the address. */
    token: text().notNull(),
    /** IANA name of the zone in which its times are shown: the owner's. */
    timeZone: text().notNull(),
    createdAt: createdAt(),
    /** Null: the link works until it is revoked. */
    expiresAt: moment(),
    revokedAt: moment(),
    /** The blob with the picture that was drawn last; null before the first. */
    pictureBlobId: rowId(),
  },
  (table) => [
    uniqueIndex("shares_token").on(table.token),
    // A player's links, the newest first.
    index("shares_owner").on(table.userId, table.id),
    indexWhere("shares_session", sql`session_id IS NOT NULL`, table.sessionId),
    index("shares_over").on(sql`least(revoked_at, expires_at)`),
    check("shares_kind_known", oneOf(table.kind, shareKinds)),
    check(
      "shares_target",
      sql`(${table.kind} = 'session') = (${table.sessionId} IS NOT NULL)
        AND (${table.kind} IN ('call', 'result')) = (${table.callId} IS NOT NULL)`,
    ),
  ],
);
