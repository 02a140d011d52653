import type { Queryable } from "#db/client.ts";
import { mails } from "#db/schema/mails.ts";

// Decision: a mail is a row without text. The row says what to send to whom. The text and the secret of its link are made
// when it is sent. So the database holds no secret, a lost job loses no mail, and requesting a mail costs the same work
// whether or not the address belongs to a user.

export type MailRow = typeof mails.$inferSelect;

type NewMail = {
  kind: MailRow["kind"];
  recipient: string;
  /** Left out for a mail that was requested by address: the user is looked up when the mail is sent. */
  userId?: number;
};

/**
 * Records a mail to send, in the transaction that makes it due. After the commit, `enqueueMail` sends it at once; without
 * that, deliverDueMails sends it within seconds.
 * @returns the mail's id, for enqueueMail.
 */
export async function writeMail(tx: Queryable, mail: NewMail): Promise<number> {
  const [row] = await tx.insert(mails).values(mail).returning({ id: mails.id });
  if (row === undefined) throw new Error("the insert of a mail returned no row");
  return row.id;
}
