import { eq } from "drizzle-orm";
import { users } from "#db/schema/users.ts";
import type { Compose } from "#src/mail/deliver-mail.ts";
import { writeLetter } from "#src/mail/letter.ts";
import { isLockedNow } from "#src/people/sign-ins/lock-account.ts";
import { composeReminderMail } from "./compose-reminder-mail.ts";
import { issueToken, type TokenKind } from "./issue-token.ts";
import { type MailText, mailTexts } from "./mail-texts.ts";

const columns = {
  id: users.id,
  username: users.username,
  confirmedAt: users.confirmedAt,
  deactivatedAt: users.deactivatedAt,
  locked: isLockedNow,
};

/** The target of each mail's link: its path, and the name of the query parameter with the secret. */
const links: Record<TokenKind, readonly [path: string, name: string]> = {
  confirm_email: ["/users/confirmation", "confirmation_token"],
  change_email: ["/users/confirmation", "confirmation_token"],
  reset_password: ["/users/password/edit", "reset_password_token"],
  unlock: ["/users/unlock", "unlock_token"],
};

/**
 * Composes a mail to a user, and issues the secret of its link. Returns null for an unknown or deactivated user, and
 * for a mail that is no longer needed. The page that requested the mail does not reveal which.
 */
export const composeMail: Compose = async ({ env, pool }, { kind, recipient, userId, sessionId }) => {
  const userFilter = userId === null ? eq(users.email, recipient) : eq(users.id, userId);
  const [user] = await pool.db.select(columns).from(users).where(userFilter);
  if (user === undefined || user.deactivatedAt !== null || !isNeeded(kind, user)) return null;
  if (kind === "session_reminder")
    return composeReminderMail(pool.db, env, { recipient, sessionId, username: user.username });
  const { subject, paragraphs, label }: MailText = mailTexts[kind](user.username);
  if (!isLinkKind(kind)) return writeLetter({ to: recipient, subject, paragraphs });
  const secret = await issueToken(pool.db, env, { userId: user.id, kind, email: recipient });
  const [path, name] = links[kind];
  const url = `${env.publicUrl}${path}?${name}=${secret}`;
  return writeLetter({ to: recipient, subject, paragraphs, link: { label: label ?? "Open", url } });
};

function isNeeded(kind: string, user: { confirmedAt: Date | null; locked: boolean }): boolean {
  if (kind === "confirm_email") return user.confirmedAt === null;
  if (kind === "unlock") return user.locked;
  return true;
}

function isLinkKind(kind: string): kind is TokenKind {
  return kind in links;
}
