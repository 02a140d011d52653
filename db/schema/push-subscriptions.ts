import { sql } from "drizzle-orm";
import { boolean, check, index, integer, pgTable, text, unique, uuid } from "drizzle-orm/pg-core";
import { createdAt, identity, indexWhere, moment, refersTo, updatedAt } from "./columns.ts";
import { signIns, users } from "./users.ts";

/** A browser that shows a player's messages also while no page is open, by the push service of its maker. */
export const pushSubscriptions = pgTable(
  "push_subscriptions",
  {
    id: identity(),
    userId: refersTo(() => users.id),
    /** The sign-in of the browser. The end of the sign-in removes the subscription. */
    signInId: uuid()
      .notNull()
      .references(() => signIns.id, { onDelete: "cascade" }),
    /** The address at the push service. It is a secret: it is all that a sender needs to know. */
    endpoint: text().notNull(),
    /** The browser's public key and its secret, in base64url: only the browser can read what is encrypted with them. */
    p256dh: text().notNull(),
    auth: text().notNull(),
    /** Which messages the player wants here. */
    sessionLive: boolean().notNull(),
    results: boolean().notNull(),
    lastSuccessAt: moment(),
    /** How many messages in a row the push service did not accept. */
    failures: integer().notNull().default(0),
    createdAt: createdAt(),
    /** When the browser last said that it is still there. */
    updatedAt: updatedAt(),
  },
  (table) => [
    unique("push_subscriptions_endpoint").on(table.endpoint),
    index("push_subscriptions_user").on(table.userId),
    index("push_subscriptions_sign_in").on(table.signInId),
    indexWhere("push_subscriptions_session_live", sql`session_live`, table.id),
    check("push_subscriptions_wanted", sql`${table.sessionLive} OR ${table.results}`),
  ],
);
