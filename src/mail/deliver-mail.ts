import { and, eq, gt, sql } from "drizzle-orm";
import type { Queryable } from "#db/client.ts";
import { mails } from "#db/schema/mails.ts";
import type { Deps } from "#src/base/deps.ts";
import { explainError } from "#src/base/describe-error.ts";
import { type Outcome, sendDue, sendOverdue } from "#src/base/due-rows.ts";
import { inSpan } from "#src/base/spans.ts";
import type { Letter } from "./letter.ts";
import { isPermanentFailure, senderOf, sendLetter } from "./send-letter.ts";
import { storeLetter } from "./stored-letters.ts";
import { mailRows, type MailRow } from "./write-mail.ts";

/** A mail that anybody may request is sent to the same address at most once per kind in this time. */
const REPEAT_INTERVAL_SECONDS = 60;
const ERROR_LENGTH_MAX = 500;

type MailDeps = Pick<Deps, "env" | "pool" | "queues" | "log">;
/** Composes the letter of a mail; null if it must not be sent. */
export type Compose = (deps: Pick<Deps, "env" | "pool" | "log">, mail: MailRow) => Promise<Letter | null>;

/** Sends a mail that is due, or stores its letter if there is no mail server. @returns as sendDue. */
export function deliverMail(deps: MailDeps, mailId: number, compose: Compose): Promise<number | null> {
  return sendDue(deps, mailRows, mailId, () => attemptMail(deps, mailId, compose));
}

async function attemptMail(deps: MailDeps, mailId: number, compose: Compose): Promise<Outcome> {
  const { db } = deps.pool;
  const [mail] = await db.select().from(mails).where(eq(mails.id, mailId));
  if (mail === undefined) return { failure: null };
  try {
    const letter = (await wasJustSent(db, mail)) ? null : await compose(deps, mail);
    if (letter === null) await db.delete(mails).where(eq(mails.id, mailId));
    else await sendOrStore(deps, mail, letter);
    return { failure: null };
  } catch (error) {
    deps.log.warn({ err: error, mailId, kind: mail.kind }, "sending a mail failed");
    const retry = isPermanentFailure(error) ? "never" : "as planned";
    return { failure: { error: explainError(error).slice(0, ERROR_LENGTH_MAX), retry } };
  }
}

/** True if the same kind of mail was just sent. It keeps requests for an address from flooding its mailbox. */
async function wasJustSent(db: Queryable, { kind, recipient, userId }: MailRow): Promise<boolean> {
  if (userId !== null) return false;
  const since = sql`clock_timestamp() - make_interval(secs => ${REPEAT_INTERVAL_SECONDS})`;
  const sent = await db.$count(
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

export function deliverDueMails(deps: MailDeps, compose: Compose): Promise<void> {
  return sendOverdue(deps, mailRows, (id) => deliverMail(deps, id, compose));
}
