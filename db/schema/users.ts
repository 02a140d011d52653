import { sql } from "drizzle-orm";
import {
  type AnyPgColumn,
  boolean,
  check,
  index,
  integer,
  pgTable,
  primaryKey,
  text,
  unique,
  uniqueIndex,
  uuid,
} from "drizzle-orm/pg-core";
import { roles } from "../lists/users.ts";
import { blobs } from "./blobs.ts";
import {
  createdAt,
  identity,
  indexWhere,
  jsonb,
  moment,
  momentOfNow,
  oneOf,
  refersTo,
  rowId,
  updatedAt,
} from "./columns.ts";

export const users = pgTable(
  "users",
  {
    id: identity(),
    /** Lower-cased; null for guests, robots and deleted accounts only. */
    email: text(),
    username: text().notNull(),
    /** The username as it looks, by which it is unique: lookOfName. A trigger writes that of a name in plain ASCII. */
    usernameLook: text().notNull().default(""),
    phone: text(),
    /** argon2id in PHC form; null for guests and robots. */
    passwordHash: text(),
    guest: boolean().notNull().default(false),
    /** A player of the demo that places calls automatically. */
    robot: boolean().notNull().default(false),
    /** The newest picture: the upload until its sizes are made, then its re-encoded original. */
    avatarBlobId: rowId().references(() => blobs.id),
    /** The sizes of the picture with their signed addresses, so that lists need no signing; see src/people/avatars/present-avatar.ts. */
    avatar: jsonb(),
    preferences: jsonb().notNull().default({}),
    failedAttempts: integer().notNull().default(0),
    lockedAt: moment(),
    confirmedAt: moment(),
    /** Until then the user can sign in without confirming the address; null if there is nothing to confirm. */
    confirmBy: moment(),
    deactivatedAt: moment(),
    /** When the user deleted the account. The row stays without personal data, as the owner of the wallet. */
    deletedAt: moment(),
    /**
     * The account that a guest is a part of now. The row stays as the owner of the guest's wallet and calls, which the books keep; all
     * that reads a player's record reads them as the account's. It has the account's name.
     */
    mergedInto: rowId().references((): AnyPgColumn => users.id),
    /** A trigger increases it with every change of a field that admins edit, roles included. */
    version: integer().notNull().default(0),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (table) => [
    uniqueIndex("users_email").on(table.email),
    // A merged guest has the name of its account.
    uniqueIndex("users_username").on(
      table.usernameLook,
      sql`(CASE WHEN ${table.mergedInto} IS NULL THEN 0 ELSE ${table.id} END)`,
    ),
    indexWhere("users_merged", sql`merged_into IS NOT NULL`, table.mergedInto),
    // Finds users by a part of the email or the username. Not fast to update: a search would read all pending rows.
    index("users_search")
      .using("gin", sql`search_grams(${table.email}, ${table.username})`)
      .with({ fastupdate: false }),
    // Guests, the oldest first.
    indexWhere("users_guests", sql`guest AND deactivated_at IS NULL`, table.createdAt),
    indexWhere("users_just_deleted", sql`deleted_at IS NOT NULL`, table.deletedAt),
    indexWhere("users_avatar_blob", sql`avatar_blob_id IS NOT NULL`, table.avatarBlobId),
    // Addresses of pictures that were signed with a previous key are signed again.
    indexWhere("users_avatar_signer", sql`avatar IS NOT NULL`, sql`(${table.avatar} ->> 'signer')`),
    check(
      "users_deleted",
      sql`${table.deletedAt} IS NULL OR (${table.email} IS NULL AND ${table.deactivatedAt} IS NOT NULL)`,
    ),
    check(
      "users_merged_guest",
      sql`${table.mergedInto} IS NULL OR (${table.guest} AND ${table.deactivatedAt} IS NOT NULL)`,
    ),
    check("users_username_look", sql`${table.usernameLook} <> ''`),
    check("users_email_lower", sql`${table.email} = lower(${table.email})`),
    check(
      "users_reachable",
      sql`${table.guest} OR ${table.robot} OR ${table.email} IS NOT NULL OR ${table.deletedAt} IS NOT NULL`,
    ),
  ],
);

/**
 * A name that a host has taken away, which nobody gives themselves again. As a hash: it may be somebody's name, and is compared
 * only.
 */
export const removedNames = pgTable("removed_names", {
  hash: text().primaryKey(),
  createdAt: createdAt(),
});

export const userRoles = pgTable(
  "user_roles",
  {
    userId: refersTo(() => users.id),
    role: text({ enum: roles }).notNull(),
    /** A claim of the provider has given it, and the next sign-in there may take it away again (src/people/oidc). */
    byClaim: boolean().notNull().default(false),
    createdAt: createdAt(),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.role] }),
    check("user_roles_role", oneOf(table.role, roles)),
  ],
);

/** One signed-in browser. The cookie contains the signed id of this row; ending the row makes the cookie invalid. */
export const signIns = pgTable(
  "sign_ins",
  {
    id: uuid()
      .primaryKey()
      .default(sql`gen_random_uuid()`),
    userId: refersTo(() => users.id),
    /** The base64url secret that the masked anti-forgery tokens of this sign-in are made from. */
    csrfSecret: text().notNull(),
    remembered: boolean().notNull().default(false),
    /** Whether a passkey of the user has confirmed it. */
    byPasskey: boolean().notNull().default(false),
    /** The provider's proof of who has signed in there, for the sign-out; null for all other sign-ins, and for those that are over. */
    idToken: text(),
    /** When its user signed in at the provider once more, to confirm a change of the account. */
    provenAt: moment(),
    address: text(),
    userAgent: text(),
    /** Wrong passwords in a row, where a change of the account asks for the password again. */
    failedAttempts: integer().notNull().default(0),
    createdAt: createdAt(),
    lastSeenAt: momentOfNow(),
    expiresAt: moment().notNull(),
    endedAt: moment(),
    /** When its user was last told how long the visit is (src/money/spending/tell-spending.ts). */
    toldAt: moment(),
  },
  (table) => [
    index("sign_ins_user").on(table.userId),
    index("sign_ins_expiry").on(table.expiresAt),
    // The newest visits.
    index("sign_ins_seen").on(table.lastSeenAt),
  ],
);

/** A person of the provider of OpenID Connect, and the account that signs in as this person: at most one of each provider. */
export const identities = pgTable(
  "identities",
  {
    id: identity(),
    userId: refersTo(() => users.id),
    issuer: text().notNull(),
    /** The provider's own id of the person, which never becomes another's. */
    subject: text().notNull(),
    createdAt: createdAt(),
  },
  (table) => [
    unique("identities_person").on(table.issuer, table.subject),
    unique("identities_user").on(table.userId, table.issuer),
  ],
);

/**
 * A browser that has signed in to an account. It keeps a signed cookie with the id after the sign-out. Its wrong passwords are
 * counted here, so that a stranger's guesses do not lock its user out.
 */
export const knownBrowsers = pgTable(
  "known_browsers",
  {
    userId: refersTo(() => users.id),
    /** The id in the cookie: the same for all accounts that this browser has signed in to. */
    browserId: uuid().notNull(),
    failedAttempts: integer().notNull().default(0),
    createdAt: createdAt(),
    /** Its last sign-in. */
    signedInAt: momentOfNow(),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.browserId] }),
    index("known_browsers_signed_in").on(table.signedInAt),
  ],
);
