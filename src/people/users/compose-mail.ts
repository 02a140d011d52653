import { and, eq, inArray, sql } from "drizzle-orm";
import type { Queryable } from "#db/client.ts";
import { isOnBreak } from "#db/on-break.ts";
import { pick } from "#db/pick.ts";
import { sessions } from "#db/schema/sessions.ts";
import { users } from "#db/schema/users.ts";
import { say } from "#src/http/contract.ts";
import type { Compose } from "#src/mail/deliver-mail.ts";
import { type Letter, writeLetter } from "#src/mail/letter.ts";
import type { MailRow } from "#src/mail/write-mail.ts";
import { isLockedNow } from "#src/people/sign-ins/lock-account.ts";
import type { Env } from "#src/settings/env.ts";
import { issueToken, type TokenKind } from "./tokens.ts";

const columns = {
  ...pick(users, "id", "username", "confirmedAt", "deactivatedAt"),
  locked: isLockedNow,
  onBreak: isOnBreak(sql`users.id`),
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
  const provider = env.oidc?.name ?? "your organisation";
  const { subject, paragraphs, label }: MailText = mailTexts[kind](user.username, provider);
  if (!isLinkKind(kind)) return writeLetter({ to: recipient, subject, paragraphs });
  const secret = await issueToken(pool.db, env, { userId: user.id, kind, email: recipient });
  const [path, name] = links[kind];
  const url = `${env.publicUrl}${path}?${name}=${secret}`;
  return writeLetter({ to: recipient, subject, paragraphs, link: { label: label ?? "Open", url } });
};

const NOT_YOU = "Was it not you? Then ignore this mail. Nothing changes.";
const NOT_YOU_AFTERWARDS =
  "Was it not you? Choose a new password at once: open the sign-in page and follow “Forgot your password?”.";

function isNeeded(
  kind: string,
  user: { confirmedAt: Date | null; locked: boolean; onBreak: boolean },
): boolean {
  if (kind === "confirm_email") return user.confirmedAt === null;
  if (kind === "unlock") return user.locked;
  // The other mails are about the account, which is its owner's on a break too.
  if (kind === "session_reminder") return !user.onBreak;
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
  const subject = state === "pending" ? say`${name} starts soon` : say`${name} is live`;
  return writeLetter({
    to: recipient,
    subject,
    paragraphs: [
      state === "pending"
        ? say`Hello ${username}, ${name} starts in a few minutes.`
        : say`Hello ${username}, ${name} has started.`,
      "You asked for this mail. There is no other one about this session unless it is moved.",
      `To take the reminder back: ${publicUrl}/sessions/${slug}/remind`,
    ],
    link: { label: "Open the session", url: `${publicUrl}/sessions/${slug}` },
  });
}

/** The text of a mail. Its link is placed after the first paragraph. */
type MailText = { subject: string; paragraphs: readonly string[]; label?: string };

type WriteText = (username: string, provider: string) => MailText;
const mailTexts: Record<Exclude<MailRow["kind"], "session_reminder">, WriteText> = {
  confirm_email: (username) => ({
    subject: "Confirm your email address",
    label: "Confirm my address",
    paragraphs: [
      say`Hello ${username}, please confirm that this address is yours.`,
      "The link works for 3 days. You can play right away, but after 24 hours you need a confirmed address to come in.",
      "You did not sign up? Then ignore this mail.",
    ],
  }),
  reset_password: (username) => ({
    subject: "Choose a new password",
    label: "Choose a new password",
    paragraphs: [
      say`Hello ${username}, somebody asked for a new password for your account. If it was you, choose it here.`,
      "The link works once, for 6 hours.",
      NOT_YOU,
    ],
  }),
  unlock: (username) => ({
    subject: "Your account is locked",
    label: "Unlock my account",
    paragraphs: [
      say`Hello ${username}, there were too many wrong passwords in a row, so your account is locked. Unlock it here.`,
      "It also opens by itself after an hour. If it was not you who tried, your password has held; a longer one holds better.",
    ],
  }),
  change_email: (username) => ({
    subject: "Confirm your new email address",
    label: "Use this address",
    paragraphs: [
      say`Hello ${username}, confirm that your account is to be reached at this address from now on.`,
      "The link works for a day. Until then the old address stays.",
      NOT_YOU,
    ],
  }),
  email_change_asked: (username) => ({
    subject: "Your email address is about to change",
    paragraphs: [
      say`Hello ${username}, somebody who knows your password asked to move your account to another address.`,
      "Nothing changes before a link in a mail to that address is opened.",
      NOT_YOU_AFTERWARDS,
    ],
  }),
  email_changed: (username) => ({
    subject: "Your email address was changed",
    paragraphs: [
      say`Hello ${username}, your account is reached at another address from now on. This one no longer signs in.`,
      "Was it not you? Write to the people who run this game at once.",
    ],
  }),
  password_changed: (username) => ({
    subject: "Your password was changed",
    paragraphs: [
      say`Hello ${username}, your account has a new password. Everybody who was signed in elsewhere is signed out.`,
      NOT_YOU_AFTERWARDS,
    ],
  }),
  passkey_added: (username) => ({
    subject: "A passkey was added to your account",
    paragraphs: [
      say`Hello ${username}, your account can be signed in to with another passkey from now on. The page of your account lists them.`,
      `${NOT_YOU_AFTERWARDS} Then remove the passkey that is not yours.`,
    ],
  }),
  passkey_removed: (username) => ({
    subject: "A passkey was removed from your account",
    paragraphs: [
      say`Hello ${username}, one of your passkeys no longer signs in to your account. Delete it on its device too.`,
      NOT_YOU_AFTERWARDS,
    ],
  }),
  provider_linked: (username, provider) => ({
    subject: say`Your account signs in with ${provider}`,
    paragraphs: [
      say`Hello ${username}, from now on who signs in at ${provider} with your address is signed in to your account here.`,
      say`Was it not you? Then somebody else can sign in as you at ${provider}: tell the people who run that at once.`,
    ],
  }),
};
