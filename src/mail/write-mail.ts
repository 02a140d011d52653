import { sql } from "drizzle-orm";
import type { Queryable } from "#db/client.ts";
import { mails } from "#db/schema/mails.ts";
import type { Deps } from "#src/base/deps.ts";
import { type DueRows, enqueueDue } from "#src/base/due-rows.ts";

// Decision: a mail is a row without text. The row says what to send to whom. The text and the secret of its link are made
// when it is sent. So the database holds no secret, a lost job loses no mail, and requesting a mail costs the same work
// whether or not the address belongs to a user.

export type MailRow = typeof mails.$inferSelect;

/** The delay after each failed attempt; the last one is repeated. The first mail in line is tried more often. */
const retrySeconds = [5, 30, 120, 600, 1_800, 3_600] as const;
const RETRY_MAX_SECONDS = 3_600;
/** A mail that was written longer ago counts as failed after its next attempt. */
const GIVEN_UP_AFTER_SECONDS = 86_400;

/** How mails wait: all of them for one mail server. */
export const mailRows: DueRows = {
  table: mails,
  sentAt: "sent_at",
  receiver: null,
  awaySince: sql`created_at`,
  now: sql`clock_timestamp()`,
  queue: "mails",
  addJob: (queues, mailId, dueMs) => queues.sendMail({ mailId }, dueMs),
  // Longer than the mail server's timeouts.
  claimSeconds: 120,
  waitSeconds: (attempts, ageSeconds) =>
    ageSeconds > GIVEN_UP_AFTER_SECONDS ? null : (retrySeconds[attempts - 1] ?? RETRY_MAX_SECONDS),
  triedForSeconds: GIVEN_UP_AFTER_SECONDS,
  eachAfterMs: 100,
  overdueSeconds: 3,
  batchSize: 50,
  // As many as the queue of mails sends. One that the mail server keeps waiting holds up no other.
  atOnce: 5,
  unsentSeconds: 60,
  slow: { afterSeconds: 2, server: "the mail server" },
};

type NewMail = {
  kind: MailRow["kind"];
  recipient: string;
  /** Left out for a mail that was requested by address: the user is looked up when the mail is sent. */
  userId?: number;
};

/** Records a mail to send, in the transaction that makes it due. @returns its id, for enqueueMail after the commit. */
export async function writeMail(tx: Queryable, mail: NewMail): Promise<number> {
  const [row] = await tx.insert(mails).values(mail).returning({ id: mails.id });
  if (row === undefined) throw new Error("the insert of a mail returned no row");
  return row.id;
}

/** Enqueues a mail that was just committed, so that it is sent at once. While Redis is away, deliverDueMails sends it. */
export function enqueueMail(deps: Pick<Deps, "queues" | "log">, mailId: number): Promise<void> {
  return enqueueDue(deps, mailRows, [{ id: mailId }]);
}
