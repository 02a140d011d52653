import { sql } from "drizzle-orm";
import { signIns, users } from "./schema/users.ts";

// Which sign-ins count, in SQL. The look-up of a request judges by these conditions, and so does the statement that places calls.

/** A sign-in that is not remembered expires after this time without a request. */
const IDLE_MINUTES_MAX = 30;
/** `last_seen_at` is updated at most this often. */
const TOUCH_AFTER_SECONDS = 60;

export const isSignedIn = sql<boolean>`(${signIns.endedAt} IS NULL AND ${users.deactivatedAt} IS NULL)`;

/** This sign-in has not expired and was not idle for too long. */
export const isUnexpired = sql<boolean>`(${signIns.expiresAt} > clock_timestamp() AND (${signIns.remembered}
  OR ${signIns.lastSeenAt} > clock_timestamp() - make_interval(mins => ${sql.raw(String(IDLE_MINUTES_MAX))})))`;

/** The time for this user to confirm the email address is over. */
export const isUnconfirmedNow = sql<boolean>`(${users.confirmedAt} IS NULL AND ${users.confirmBy} IS NOT NULL
  AND ${users.confirmBy} <= clock_timestamp())`;

/** When this sign-in was last seen has to be updated. */
export const isStale = sql<boolean>`(${signIns.lastSeenAt} <
  clock_timestamp() - make_interval(secs => ${sql.raw(String(TOUCH_AFTER_SECONDS))}))`;
