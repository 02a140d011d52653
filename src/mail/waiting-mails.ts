import { and, gt, isNotNull, isNull, or, type SQL, sql } from "drizzle-orm";
import * as v from "valibot";
import type { Queryable } from "#db/client.ts";
import { mails } from "#db/schema/mails.ts";

/** A mail is usually sent within seconds. */
const UNSENT_MAX_SECONDS = 60;
/** How long a process that sends a mail reserves it: longer than the mail server's timeouts. */
export const CLAIM_SECONDS = 120;
/** A mail server that takes longer for one mail is slow, and the others wait for it. */
const SENDING_MAX_SECONDS = 2;

const isUnsent = and(isNull(mails.sentAt), isNull(mails.failedAt));
/** An attempt clears the error when it begins, so no process is sending these at the moment. */
export const hasFailed = and(isUnsent, isNotNull(mails.error));
/** For how long a mail is being sent. An attempt that has not ended reserves the mail, so it is due later than any other. */
const sendingSeconds = sql<number>`extract(epoch FROM clock_timestamp() - ${mails.dueAt})::float8 + ${CLAIM_SECONDS}`;
const isSlow = and(
  gt(mails.attempts, 0),
  isNull(mails.error),
  sql`${mails.dueAt} > clock_timestamp()`,
  sql`${sendingSeconds} > ${SENDING_MAX_SECONDS}`,
);
/** Unsent, and tried before, older than a minute, or sent to a server that is slow. */
const isWaiting = and(
  isUnsent,
  or(
    isNotNull(mails.error),
    isSlow,
    gt(mails.attempts, 1),
    sql`${mails.createdAt} < clock_timestamp() - make_interval(secs => ${UNSENT_MAX_SECONDS})`,
  ),
);

/** What is known about the mails that are not sent yet. */
export type UnsentMails = {
  /** All of them, also those that are sent for the first time at this moment. */
  unsent: number;
  waiting: number;
  /** When the oldest of those that wait was written. */
  oldestAt: Date | null;
  /** Why the last attempt of one failed, or that the mail server is slow; null if neither is so. */
  reason: string | null;
  /** When the next of those that were tried is sent again. */
  nextAt: Date | null;
};

const nothing: UnsentMails & { slowSeconds?: null } = {
  unsent: 0,
  waiting: 0,
  oldestAt: null,
  reason: null,
  nextAt: null,
};

/** Reads the mails that are not sent. */
export async function findUnsentMails(db: Queryable): Promise<UnsentMails> {
  const [row] = await db
    .select({
      slowSeconds: sql<number | null>`max(${sendingSeconds}) FILTER (WHERE ${isSlow})`,
      unsent: sql<number>`count(*)::int`,
      waiting: sql<number>`count(*) FILTER (WHERE ${isWaiting})::int`,
      oldestAt: sql`min(${mails.createdAt}) FILTER (WHERE ${isWaiting})`.mapWith(mails.createdAt),
      reason: sql<
        string | null
      >`(array_agg(${mails.error} ORDER BY ${mails.id} DESC) FILTER (WHERE ${hasFailed}))[1]`,
      nextAt: sql`min(${mails.dueAt}) FILTER (WHERE ${hasFailed})`.mapWith(mails.dueAt),
    })
    .from(mails)
    .where(isUnsent);
  const { slowSeconds = null, ...found } = row ?? nothing;
  if (slowSeconds === null || found.reason !== null) return found;
  const seconds = Math.round(slowSeconds);
  return {
    ...found,
    reason: `One has been under way for ${seconds} s: the mail server is slow, or the worker that was sending it has ended.`,
  };
}

/** What comes after an outage comes in the order in which it was written, and not all at once. */
const EACH_AFTER_MS = 100;

/** Makes mails due, one after the other. */
async function makeDue(db: Queryable, which: SQL | undefined): Promise<void> {
  await db.execute(sql`UPDATE ${mails} SET due_at = statement_timestamp() + line.place * ${EACH_AFTER_MS} * interval '1 ms'
    FROM (SELECT id, row_number() OVER (ORDER BY id) - 1 AS place FROM ${mails} WHERE ${which}) line
    WHERE ${mails.id} = line.id AND ${hasFailed}`);
}

/** Makes the mails due that have failed and wait for their next attempt; deliverDueMails sends them within seconds. */
export async function sendWaitingMails(db: Queryable): Promise<void> {
  await makeDue(db, hasFailed);
}

/**
 * The same, after a mail was sent, for those of which none was sent since they were written: the mail server works again. So a mail
 * that the server refuses, while it takes others, keeps its own times.
 * @param since when the attempt began that has succeeded.
 */
export async function sendAfterOutage(db: Queryable, since: Date): Promise<void> {
  const before = sql`(SELECT max(sent_at) FROM mails WHERE sent_at < ${since.toISOString()}::timestamptz)`;
  await makeDue(db, and(hasFailed, sql`${mails.createdAt} > coalesce(${before}, '-infinity')`));
}

const placeRow = v.tuple([v.object({ ageSeconds: v.number(), isFirst: v.boolean() })]);

/** How old a mail is, and whether it is the first of those that wait for a mail server that has taken none since they were written. */
export async function placeInLine(
  db: Queryable,
  { id }: { id: number },
): Promise<{ ageSeconds: number; isFirst: boolean }> {
  const rows = await db.execute(sql`
    WITH line AS (
      SELECT min(id) AS first FROM mails WHERE sent_at IS NULL AND failed_at IS NULL
        AND created_at > coalesce((SELECT max(sent_at) FROM mails), '-infinity')
    )
    SELECT extract(epoch FROM clock_timestamp() - created_at)::float8 AS "ageSeconds", id IS NOT DISTINCT FROM line.first AS "isFirst"
    FROM mails, line WHERE id = ${id}`);
  return v.parse(placeRow, [...rows])[0];
}
