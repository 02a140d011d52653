import { sql } from "drizzle-orm";
import { boolean, check, index, integer, pgTable, text, unique, uuid } from "drizzle-orm/pg-core";
import { pushSubjects } from "../lists/notifications.ts";
import {
  createdAt,
  identity,
  indexWhere,
  moment,
  momentOfGame,
  oneOf,
  refersTo,
  rowId,
  updatedAt,
} from "./columns.ts";
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

/** One message to a browser, about one of these. Its text is made when it is sent. It is deleted with its subscription. */
export const pushMessages = pgTable(
  "push_messages",
  {
    id: identity(),
    subscriptionId: refersTo(() => pushSubscriptions.id, { onDelete: "cascade" }),
    about: text({ enum: pushSubjects }).notNull(),
    aboutId: rowId().notNull(),
    /** The origin of the push service, which is away or back for all of its browsers. */
    service: text().notNull(),
    attempts: integer().notNull().default(0),
    /** When it is sent next. An attempt that is being made moves it ahead. */
    dueAt: momentOfGame(),
    createdAt: createdAt(),
    sentAt: moment(),
    /** When it was given up or dropped, and why; or why the last attempt failed. */
    failedAt: moment(),
    error: text(),
  },
  (table) => [
    // What is written again is known already.
    unique("push_messages_about").on(table.subscriptionId, table.about, table.aboutId),
    index("push_messages_service").on(table.service, table.id),
    indexWhere("push_messages_due", sql`sent_at IS NULL AND failed_at IS NULL`, table.dueAt),
    check("push_messages_about_known", oneOf(table.about, pushSubjects)),
  ],
);
