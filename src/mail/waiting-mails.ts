import { and, gt, isNotNull, isNull, or, sql } from "drizzle-orm";
import type { Queryable } from "#db/client.ts";
import { mails } from "#db/schema/mails.ts";

/** A mail is usually sent within seconds. */
const UNSENT_MAX_SECONDS = 60;

const isUnsent = and(isNull(mails.sentAt), isNull(mails.failedAt));
/** An attempt clears the error when it begins, so no process is sending these at the moment. */
const hasFailed = and(isUnsent, isNotNull(mails.error));
/** Unsent, and tried before or older than a minute. */
const isWaiting = and(
  isUnsent,
  or(
    isNotNull(mails.error),
    gt(mails.attempts, 1),
    sql`${mails.createdAt} < clock_timestamp() - make_interval(secs => ${UNSENT_MAX_SECONDS})`,
  ),
);

/** What is known about the mails that are not sent yet. */
export type UnsentMails = {
  /** All of them, also those that are sent for the first time at this moment. */
  unsent: number;
  waiting: number;
  /** Why the last attempt of one failed; null if none was tried. */
  reason: string | null;
  /** When the next of those that were tried is sent again. */
  nextAt: Date | null;
};

/** Reads the mails that are not sent. */
export async function findUnsentMails(db: Queryable): Promise<UnsentMails> {
  const [row] = await db
    .select({
      unsent: sql<number>`count(*)::int`,
      waiting: sql<number>`count(*) FILTER (WHERE ${isWaiting})::int`,
      reason: sql<
        string | null
      >`(array_agg(${mails.error} ORDER BY ${mails.id} DESC) FILTER (WHERE ${hasFailed}))[1]`,
      nextAt: sql`min(${mails.dueAt}) FILTER (WHERE ${hasFailed})`.mapWith(mails.dueAt),
    })
    .from(mails)
    .where(isUnsent);
  return row ?? { unsent: 0, waiting: 0, reason: null, nextAt: null };
}

/** How many mails wait. */
export function countWaitingMails(db: Queryable): Promise<number> {
  return db.$count(mails, isWaiting);
}

/** Due now. It is no attempt more, so that being asked often does not bring a mail nearer to being given up. */
const dueNow = { dueAt: sql`clock_timestamp()`, attempts: sql`greatest(${mails.attempts} - 1, 0)` };

/** Makes the mails due that have failed and wait for their next attempt; deliverDueMails sends them within seconds. */
export async function sendWaitingMails(db: Queryable): Promise<void> {
  await db.update(mails).set(dueNow).where(hasFailed);
}

/**
 * The same, after a mail was sent, for those of which none was sent since they were written: the mail server works again. So a mail
 * that the server refuses, while it takes others, keeps its own times.
 * @param since when the attempt began that has succeeded.
 */
export async function sendAfterOutage(db: Queryable, since: Date): Promise<void> {
  const before = sql`(SELECT max(sent_at) FROM mails WHERE sent_at < ${since.toISOString()}::timestamptz)`;
  await db
    .update(mails)
    .set(dueNow)
    .where(and(hasFailed, sql`${mails.createdAt} > coalesce(${before}, '-infinity')`));
}
