import { and, eq, gt, isNull, lte, sql } from "drizzle-orm";
import { mails } from "#db/schema/mails.ts";
import type { Deps } from "#src/base/deps.ts";
import { keepLetter } from "./keep-letter.ts";
import type { Letter } from "./letter.ts";
import { isRefusedForGood, sendLetter, senderOf } from "./send-letter.ts";
import type { MailRow } from "./write-mail.ts";

/** Whoever sends a mail has it to itself for so long; longer than a mail server may take. */
const HELD_FOR_SECONDS = 120;
/** How long to wait after each attempt that failed; after the last one the mail is given up. Together about a day. */
const retrySeconds = [5, 30, 120, 600, 1_800, 3_600, 7_200, 14_400, 28_800, 28_800];
/** Of what anybody may ask for, a mailbox gets one of a kind in this time. */
const ASKED_AGAIN_SECONDS = 60;
const ERROR_LENGTH_MAX = 500;

type MailDeps = Pick<Deps, "env" | "pool" | "log">;

/** Makes the words of a mail; null where there is nobody to tell. */
export type Compose = (deps: MailDeps, mail: MailRow) => Promise<Letter | null>;

/**
 * Sends a mail that is due, or keeps it where there is no mail server. Of several who try at the same time one sends; one
 * that is sent already is left alone. A mail goes out twice only where we die between the server's yes and noting it.
 * @returns null where nothing is left to do, else the milliseconds until the next attempt.
 */
export async function deliverMail(deps: MailDeps, mailId: number, compose: Compose): Promise<number | null> {
  const mail = await claim(deps, mailId);
  if (mail === null) return null;
  const letter = (await wasJustSent(deps, mail)) ? null : await compose(deps, mail);
  if (letter === null) {
    await deps.pool.db.delete(mails).where(eq(mails.id, mail.id));
    return null;
  }
  try {
    await handOver(deps, mail, letter);
  } catch (error) {
    return noteFailure(deps, mail, error);
  }
  await deps.pool.db
    .update(mails)
    .set({ sentAt: sql`clock_timestamp()`, error: null })
    .where(eq(mails.id, mail.id));
  return null;
}

async function claim({ pool }: MailDeps, mailId: number): Promise<MailRow | null> {
  const [mail] = await pool.db
    .update(mails)
    .set({
      attempts: sql`${mails.attempts} + 1`,
      dueAt: sql`clock_timestamp() + make_interval(secs => ${HELD_FOR_SECONDS})`,
    })
    .where(
      and(
        eq(mails.id, mailId),
        isNull(mails.sentAt),
        isNull(mails.failedAt),
        lte(mails.dueAt, sql`clock_timestamp()`),
      ),
    )
    .returning();
  return mail ?? null;
}

/** Nobody's mailbox is to be filled by somebody who types an address again and again. */
async function wasJustSent({ pool }: MailDeps, { kind, recipient, userId }: MailRow): Promise<boolean> {
  if (userId !== null) return false;
  const since = sql`clock_timestamp() - make_interval(secs => ${ASKED_AGAIN_SECONDS})`;
  const sent = await pool.db.$count(
    mails,
    and(eq(mails.recipient, recipient), eq(mails.kind, kind), gt(mails.sentAt, since)),
  );
  return sent > 0;
}

async function handOver({ env, pool }: MailDeps, mail: MailRow, letter: Letter): Promise<void> {
  if (env.smtpUrl !== null) {
    const id = `mail-${mail.id}-${mail.createdAt.getTime()}`;
    return sendLetter(letter, { smtpUrl: env.smtpUrl, from: senderOf(env), id });
  }
  if (env.production) throw new Error("SMTP_URL is not set");
  return keepLetter(pool.db, mail.id, letter);
}

async function noteFailure({ pool, log }: MailDeps, mail: MailRow, error: unknown): Promise<number | null> {
  const waitSeconds = isRefusedForGood(error) ? undefined : retrySeconds[mail.attempts - 1];
  const said = (error instanceof Error ? error.message : String(error)).slice(0, ERROR_LENGTH_MAX);
  log.warn({ err: error, mailId: mail.id, kind: mail.kind, waitSeconds }, "a mail was not sent");
  if (waitSeconds === undefined) {
    await pool.db
      .update(mails)
      .set({ failedAt: sql`clock_timestamp()`, error: said })
      .where(eq(mails.id, mail.id));
    return null;
  }
  await pool.db
    .update(mails)
    .set({ dueAt: sql`clock_timestamp() + make_interval(secs => ${waitSeconds})`, error: said })
    .where(eq(mails.id, mail.id));
  return waitSeconds * 1_000;
}
