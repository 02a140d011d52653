import { and, eq, gt, isNull, lt, lte, or, sql } from "drizzle-orm";
import type { Queryable } from "#db/client.ts";
import { Semaphore } from "#db/pool/semaphore.ts";
import { mails } from "#db/schema/mails.ts";
import { ago, deleteOldRows } from "#src/base/delete-old-rows.ts";
import type { Deps } from "#src/base/deps.ts";
import { explainError } from "#src/base/describe-error.ts";
import { outagePauseSeconds } from "#src/base/outage-pause.ts";
import { inSpan } from "#src/base/spans.ts";
import type { Letter } from "./letter.ts";
import { isPermanentFailure, senderOf, sendLetter } from "./send-letter.ts";
import { storeLetter } from "./stored-letters.ts";
import { CLAIM_SECONDS, hasFailed, placeInLine, sendAfterOutage } from "./waiting-mails.ts";
import type { MailRow } from "./write-mail.ts";

/** The delay after each failed attempt; the last one is repeated. The first mail in line is tried more often. */
const retrySeconds = [5, 30, 120, 600, 1_800, 3_600] as const;
const RETRY_MAX_SECONDS = 3_600;
/** A mail that was written longer ago counts as failed after its next attempt. */
const GIVEN_UP_AFTER_SECONDS = 86_400;
/** A mail that anybody may request is sent to the same address at most once per kind in this time. */
const REPEAT_INTERVAL_SECONDS = 60;
const ERROR_LENGTH_MAX = 500;

type MailDeps = Pick<Deps, "env" | "pool" | "log">;

/** Composes the letter of a mail; null if it must not be sent. */
export type Compose = (deps: MailDeps, mail: MailRow) => Promise<Letter | null>;

const BATCH_SIZE_MAX = 50;
/** As many as the queue of mails sends. One that the mail server keeps waiting holds up no other. */
const AT_ONCE_MAX = 5;
/** A mail that was enqueued is normally sent within this time. */
const OVERDUE_SECONDS = 3;

const SENT_RETENTION_DAYS = 7;
/** Longer, so that the failure can be investigated. */
const FAILED_RETENTION_DAYS = 30;

/**
 * Sends a mail that is due, or stores its letter if there is no mail server. Of several processes that try at the same time
 * one sends it. A mail is sent twice only if the process dies after the server accepts it and before that is recorded.
 * @returns null if nothing is left to do, else the milliseconds until the next attempt.
 */
export async function deliverMail(deps: MailDeps, mailId: number, compose: Compose): Promise<number | null> {
  const mail = await claim(deps, mailId);
  if (mail === null) return null;
  try {
    const letter = (await wasJustSent(deps, mail)) ? null : await compose(deps, mail);
    if (letter === null) {
      await deps.pool.db.delete(mails).where(eq(mails.id, mail.id));
      return null;
    }
    await sendOrStore(deps, mail, letter);
  } catch (error) {
    return recordFailure(deps, mail, error);
  }
  await deps.pool.db
    .update(mails)
    .set({ sentAt: sql`clock_timestamp()` })
    .where(eq(mails.id, mail.id));
  await sendAfterOutage(deps.pool.db, new Date(mail.dueAt.getTime() - CLAIM_SECONDS * 1_000));
  return null;
}

async function claim({ pool }: MailDeps, mailId: number): Promise<MailRow | null> {
  const [mail] = await pool.db
    .update(mails)
    .set({
      attempts: sql`${mails.attempts} + 1`,
      error: null,
      dueAt: sql`clock_timestamp() + make_interval(secs => ${CLAIM_SECONDS})`,
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

/** True if the same kind of mail was just sent. It keeps requests for an address from flooding its mailbox. */
async function wasJustSent({ pool }: MailDeps, { kind, recipient, userId }: MailRow): Promise<boolean> {
  if (userId !== null) return false;
  const since = sql`clock_timestamp() - make_interval(secs => ${REPEAT_INTERVAL_SECONDS})`;
  const sent = await pool.db.$count(
    mails,
    and(eq(mails.recipient, recipient), eq(mails.kind, kind), gt(mails.sentAt, since)),
  );
  return sent > 0;
}

async function sendOrStore({ env, pool }: MailDeps, mail: MailRow, letter: Letter): Promise<void> {
  if (env.smtpUrl !== null) {
    const id = `mail-${mail.id}-${mail.createdAt.getTime()}`;
    const { smtpUrl } = env;
    const from = senderOf(env);
    return inSpan("send a mail", () => sendLetter(letter, { smtpUrl, from, id }), { kind: "client" });
  }
  if (env.production) throw new Error("SMTP_URL is not set");
  return storeLetter(pool.db, mail.id, letter);
}

async function recordFailure({ pool, log }: MailDeps, mail: MailRow, error: unknown): Promise<number | null> {
  const waitSeconds = isPermanentFailure(error) ? null : await pauseOf(pool.db, mail);
  const message = explainError(error).slice(0, ERROR_LENGTH_MAX);
  log.warn({ err: error, mailId: mail.id, kind: mail.kind, waitSeconds }, "sending a mail failed");
  if (waitSeconds === null) {
    await pool.db
      .update(mails)
      .set({ failedAt: sql`clock_timestamp()`, error: message })
      .where(eq(mails.id, mail.id));
    return null;
  }
  await pool.db
    .update(mails)
    .set({ dueAt: sql`clock_timestamp() + make_interval(secs => ${waitSeconds})`, error: message })
    .where(eq(mails.id, mail.id));
  return waitSeconds * 1_000;
}

/** @returns the seconds until the next attempt; null if there is none. */
async function pauseOf(db: Queryable, mail: MailRow): Promise<number | null> {
  const { ageSeconds, isFirst } = await placeInLine(db, mail);
  if (ageSeconds > GIVEN_UP_AFTER_SECONDS) return null;
  const usual = retrySeconds[mail.attempts - 1] ?? RETRY_MAX_SECONDS;
  return isFirst ? Math.min(usual, outagePauseSeconds(ageSeconds)) : usual;
}

/**
 * Sends mails that are overdue, because Redis was away or the process that should have sent them died, and those that were tried and
 * are due again: after an outage they have no job for now.
 */
export async function deliverDueMails(
  deps: Pick<Deps, "env" | "pool" | "queues" | "log">,
  compose: Compose,
): Promise<void> {
  // While Redis is away nobody knows, and mails are sent.
  if (await deps.queues.byName.mails.isPaused().catch(() => false)) return;
  const overdue = sql`clock_timestamp() - make_interval(secs => ${OVERDUE_SECONDS})`;
  const due = await deps.pool.db
    .select({ id: mails.id })
    .from(mails)
    .where(
      or(
        and(isNull(mails.sentAt), isNull(mails.failedAt), lt(mails.dueAt, overdue)),
        and(hasFailed, lt(mails.dueAt, sql`clock_timestamp()`)),
      ),
    )
    .orderBy(mails.dueAt, mails.id)
    .limit(BATCH_SIZE_MAX);
  const places = new Semaphore(AT_ONCE_MAX);
  await Promise.all(due.map(({ id }) => places.run(() => deliverMail(deps, id, compose))));
}

/** Deletes mails that were sent or failed long ago. */
export async function pruneMails({ pool }: Pick<Deps, "pool">): Promise<void> {
  await deleteOldRows(pool.db, {
    table: mails,
    old: sql`${mails.sentAt} < ${ago(SENT_RETENTION_DAYS, "days")}`,
  });
  await deleteOldRows(pool.db, {
    table: mails,
    old: sql`${mails.failedAt} < ${ago(FAILED_RETENTION_DAYS, "days")}`,
  });
}
