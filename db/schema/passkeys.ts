import { sql } from "drizzle-orm";
import { check, index, pgTable, text, unique } from "drizzle-orm/pg-core";
import { cents, createdAt, identity, jsonb, moment, refersTo } from "./columns.ts";
import { users } from "./users.ts";

/** A public key of a user's device or password manager (WebAuthn). Its private key never leaves that. */
export const passkeys = pgTable(
  "passkeys",
  {
    id: identity(),
    userId: refersTo(() => users.id),
    /** The authenticator's id of it, in base64url. */
    credentialId: text().notNull(),
    /** COSE, in base64url. */
    publicKey: text().notNull(),
    /** How often the authenticator says that it has signed; always 0 for a passkey that is synchronized. */
    signCount: cents().notNull(),
    /** How the browser reaches the authenticator. Example: `["internal", "hybrid"]`. */
    transports: jsonb().notNull().default([]),
    name: text().notNull(),
    createdAt: createdAt(),
    lastUsedAt: moment(),
  },
  (table) => [
    unique("passkeys_credential").on(table.credentialId),
    index("passkeys_user").on(table.userId, table.id),
    check("passkeys_sign_count", sql`${table.signCount} >= 0`),
  ],
);
