import { and, eq, inArray } from "drizzle-orm";
import type { Queryable } from "#db/client.ts";
import { sessions } from "#db/schema/sessions.ts";
import { users } from "#db/schema/users.ts";
import type { Compose } from "#src/mail/deliver-mail.ts";
import { type Letter, writeLetter } from "#src/mail/letter.ts";
import type { MailRow } from "#src/mail/write-mail.ts";
import { isLockedNow } from "#src/people/sign-ins/lock-account.ts";
import type { Env } from "#src/settings/env.ts";
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

/** The mail that reminds a user of a session. Null once the session is over: the mail comes too late then. */
async function composeReminderMail(
  db: Queryable,
  { publicUrl }: Pick<Env, "publicUrl">,
  { recipient, sessionId, username }: Pick<MailRow, "recipient" | "sessionId"> & { username: string },
): Promise<Letter | null> {
  if (sessionId === null) return null;
  const isToCome = inArray(sessions.state, ["pending", "running", "paused"]);
  const [session] = await db
    .select({ name: sessions.name, slug: sessions.slug, state: sessions.state })
    .from(sessions)
    .where(and(eq(sessions.id, sessionId), isToCome));
  if (session === undefined) return null;
  const { name, slug, state } = session;
  const subject = state === "pending" ? `${name} starts soon` : `${name} is live`;
  return writeLetter({
    to: recipient,
    subject,
    paragraphs: [
      `Hello ${username}, ${state === "pending" ? `${name} starts in a few minutes` : `${name} has started`}.`,
      "You asked for this mail. There is no other one about this session unless it is moved.",
      `To take the reminder back: ${publicUrl}/sessions/${slug}/remind`,
    ],
    link: { label: "Open the session", url: `${publicUrl}/sessions/${slug}` },
  });
}
