import { sql } from "drizzle-orm";
import { boolean, check, index, pgTable, text, unique } from "drizzle-orm/pg-core";
import { tokenScopes } from "../lists/access-tokens.ts";
import { createdAt, identity, indexWhere, moment, oneOf, refersTo, rowId } from "./columns.ts";
import { users } from "./users.ts";

/** A secret by which a program acts for an admin, or a dock for who runs its session. Revoked ones stay, because audit entries name them. */
export const accessTokens = pgTable(
  "access_tokens",
  {
    id: identity(),
    userId: refersTo(() => users.id),
    name: text().notNull(),
    scope: text({ enum: tokenScopes }).notNull(),
    /** The session of a dock, which may be deleted; null for all others. */
    sessionId: rowId(),
    /** SHA-256 of the secret, in base64url. The secret is random and long, so nothing finds it from its hash. */
    secretHash: text().notNull(),
    /** The last letters of the secret, by which its owner recognizes it. */
    hint: text().notNull(),
    /** Whether a passkey had confirmed the sign-in that made it. */
    byPasskey: boolean().notNull(),
    createdAt: createdAt(),
    expiresAt: moment().notNull(),
    lastUsedAt: moment(),
    revokedAt: moment(),
  },
  (table) => [
    unique("access_tokens_secret_hash").on(table.secretHash),
    index("access_tokens_user").on(table.userId, table.id),
    indexWhere("access_tokens_session", sql`${table.sessionId} IS NOT NULL`, table.sessionId, table.id),
    check("access_tokens_scope", oneOf(table.scope, tokenScopes)),
    check("access_tokens_dock", sql`(${table.scope} = 'dock') = (${table.sessionId} IS NOT NULL)`),
  ],
);
