import { eq, sql } from "drizzle-orm";
import * as v from "valibot";
import type { Queryable } from "#db/client.ts";
import { mails } from "#db/schema/mails.ts";
import type { Letter } from "./letter.ts";

/** How many letters are kept; older ones lose their words. */
const KEPT_MAX = 100;

const keptSchema = v.object({ subject: v.string(), text: v.string(), html: v.string() });

/** A letter that was not sent, because there is no mail server, and is shown at /dev/mail instead. */
export type KeptLetter = Letter & { id: number; createdAt: Date };

/** Keeps a letter in place of sending it. */
export async function keepLetter(db: Queryable, mailId: number, { to: _to, ...kept }: Letter): Promise<void> {
  await db.update(mails).set({ kept }).where(eq(mails.id, mailId));
  await db.execute(sql`
    UPDATE ${mails} SET kept = NULL WHERE ${mails.kept} IS NOT NULL AND ${mails.id} <=
      (SELECT id FROM ${mails} WHERE kept IS NOT NULL ORDER BY id DESC OFFSET ${KEPT_MAX} LIMIT 1)`);
}

/** The letters that are kept, the newest first. */
export async function listKeptLetters(db: Queryable): Promise<KeptLetter[]> {
  const rows = await db
    .select({ id: mails.id, to: mails.recipient, createdAt: mails.createdAt, kept: mails.kept })
    .from(mails)
    .where(sql`${mails.kept} IS NOT NULL`)
    .orderBy(sql`${mails.id} DESC`)
    .limit(KEPT_MAX);
  return rows.map(({ kept, ...row }) => ({ ...row, ...v.parse(keptSchema, kept) }));
}
