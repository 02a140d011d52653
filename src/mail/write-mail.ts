import type { Queryable } from "#db/client.ts";
import { mails } from "#db/schema/mails.ts";

export type MailRow = typeof mails.$inferSelect;

/** What is to be told to whom. */
export type NewMail = {
  kind: MailRow["kind"];
  recipient: string;
  /** Left out where somebody asked for it by address: whose it is, is looked for when the mail is sent. */
  userId?: number;
};

/**
 * Writes down a mail that is to be sent, in the transaction that makes it due. After the commit `ringMail` has it sent at
 * once; without that it is found within seconds.
 * @returns the mail's id, for ringMail.
 */
export async function writeMail(tx: Queryable, mail: NewMail): Promise<number> {
  const [row] = await tx.insert(mails).values(mail).returning({ id: mails.id });
  if (row === undefined) throw new Error("A mail was inserted, but none came back");
  return row.id;
}
