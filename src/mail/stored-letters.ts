import { eq, sql } from "drizzle-orm";
import * as v from "valibot";
import type { Queryable } from "#db/client.ts";
import { mails } from "#db/schema/mails.ts";
import type { Letter } from "./letter.ts";

/** How many letters are stored; older mails lose their letter. */
const STORED_MAX = 100;

const storedSchema = v.object({ subject: v.string(), text: v.string(), html: v.string() });

/** A letter that was stored instead of sent, because there is no mail server. It is shown at /dev/mail. */
export type StoredLetter = Letter & { id: number; createdAt: Date };

export async function storeLetter(
  db: Queryable,
  mailId: number,
  { to: _to, ...kept }: Letter,
): Promise<void> {
  await db.update(mails).set({ kept }).where(eq(mails.id, mailId));
  await db.execute(sql`
    UPDATE ${mails} SET kept = NULL WHERE ${mails.kept} IS NOT NULL AND ${mails.id} <=
      (SELECT id FROM ${mails} WHERE kept IS NOT NULL ORDER BY id DESC OFFSET ${STORED_MAX} LIMIT 1)`);
}

export async function listStoredLetters(db: Queryable): Promise<StoredLetter[]> {
  const rows = await db
    .select({ id: mails.id, to: mails.recipient, createdAt: mails.createdAt, kept: mails.kept })
    .from(mails)
    .where(sql`${mails.kept} IS NOT NULL`)
    .orderBy(sql`${mails.id} DESC`)
    .limit(STORED_MAX);
  return rows.map(({ kept, ...row }) => ({ ...row, ...v.parse(storedSchema, kept) }));
}
