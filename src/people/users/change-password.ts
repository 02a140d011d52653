import { and, eq, isNull, sql } from "drizzle-orm";
import { inTransaction, type Transaction } from "#db/client.ts";
import { users } from "#db/schema/users.ts";
import type { Deps } from "#src/base/deps.ts";
import { unauthenticated } from "#src/base/refusal.ts";
import { enqueueMail, writeMail } from "#src/mail/write-mail.ts";
import { disconnectSignIns, endSignIns } from "#src/people/sign-ins/end-sign-ins.ts";
import { findViewer } from "#src/people/sign-ins/find-sign-in.ts";
import { checkOwnPassword, forgetBrowsers } from "#src/people/sign-ins/lock-account.ts";
import { hashPassword } from "#src/people/sign-ins/passwords.ts";
import { resetTokenMissing, tokenInvalid } from "#src/people/sign-ins/refusal.ts";
import { type Browser, type SignIn, startSignIn } from "#src/people/sign-ins/start-sign-in.ts";
import type { Viewer } from "#src/people/sign-ins/viewer.ts";
import { refuseCommonPassword } from "./refuse-common-password.ts";
import type { PasswordChange } from "./schemas.ts";
import { findToken, revokeTokens, useToken } from "./tokens.ts";

type OwnPasswordChange = {
  viewer: Viewer;
  signInId: string | null;
  /** The id in the cookie of this browser; null without one. */
  browserId: string | null;
  form: PasswordChange;
};

const kinds = ["reset_password"] as const;

/**
 * Changes the user's own password. All other browsers are signed out at once and are strangers again, links in older
 * mails become invalid, and a mail reports the change.
 * @returns the message for the user.
 * Refuses a wrong current password and a new one that is too easily guessed: 422.
 */
export async function changePassword(
  deps: Deps,
  { viewer, signInId, browserId, form }: OwnPasswordChange,
): Promise<string> {
  await checkOwnPassword(deps, { userId: viewer.id, signInId }, form.currentPassword);
  await refuseCommonPassword(form.password, [viewer.email, viewer.username]);
  const passwordHash = await hashPassword(form.password);
  const { ended, mailId } = await inTransaction(deps.pool.db, async (tx) => {
    const changed = await setPassword(tx, { userId: viewer.id, passwordHash, signInId, browserId });
    if (changed === null) throw unauthenticated();
    return changed;
  });
  await disconnectSignIns(deps, ended);
  if (mailId !== null) await enqueueMail(deps, mailId);
  return "Your password is changed. Everybody else who was signed in is signed out.";
}

/**
 * Checks the link to the page for a new password, without using it up. Refuses a missing token (403) and an invalid one (422).
 * @returns the id of the user.
 */
export async function checkResetToken({ env, pool }: Deps, secret: string | undefined): Promise<number> {
  if (secret === undefined || secret === "") throw resetTokenMissing();
  const token = await findToken(pool.db, env, { secret, kinds });
  if (token === null || token.usedAt !== null) throw tokenInvalid("resetPasswordToken");
  return token.userId;
}

async function findOwner(deps: Deps, secret: string | undefined): Promise<(string | null)[]> {
  const userId = await checkResetToken(deps, secret);
  const [user] = await deps.pool.db
    .select({ email: users.email, username: users.username })
    .from(users)
    .where(eq(users.id, userId));
  return [user?.email ?? null, user?.username ?? null];
}

type Reset = {
  resetPasswordToken?: string | undefined;
  password: string;
  /** The signed-out browser to sign in; null where somebody is signed in, who may be a guest and would be lost. */
  browser?: Browser | null;
};

/**
 * Sets a new password by the link of a mail. The link also proves the address, so the account is confirmed and unlocked. All
 * browsers are signed out, and this one is signed in: the link would let its holder sign in anyway. It works once, a mail tells the
 * user, and where admins need passkeys their roles are withheld as after each sign-in by password.
 * @returns the user's id, the sign-in, and the message for the user.
 * Refuses a missing token (403), an invalid one, and a password that is too easily guessed (422).
 */
export async function resetPassword(
  deps: Deps,
  { resetPasswordToken: secret, password, browser = null }: Reset,
): Promise<{ userId: number; signIn: SignIn | null; message: string }> {
  await refuseCommonPassword(password, await findOwner(deps, secret));
  const passwordHash = await hashPassword(password);
  const { userId, ended, mailId, signIn } = await inTransaction(deps.pool.db, async (tx) => {
    const token = await useToken(tx, deps.env, { secret: secret ?? "", kinds });
    const changed = token === null ? null : await setPassword(tx, { ...token, passwordHash });
    if (token === null || changed === null) throw tokenInvalid("resetPasswordToken");
    const viewer = await findViewer(tx, token.userId);
    return {
      ...changed,
      userId: token.userId,
      signIn: browser === null ? null : await startSignIn(tx, { viewer, remembered: false, ...browser }),
    };
  });
  await disconnectSignIns(deps, ended);
  if (mailId !== null) await enqueueMail(deps, mailId);
  const done = "Your password is changed.";
  return { userId, signIn, message: signIn === null ? `${done} Sign in with the new one.` : done };
}

type NewPassword = {
  userId: number;
  passwordHash: string;
  /** The address that a link has proven, which must still be the account's. */
  email?: string;
  /** Who stays: this sign-in and this browser. */
  signInId?: string | null;
  browserId?: string | null;
};

/**
 * Sets the password: all other browsers are signed out and are strangers again, and links in older mails become invalid.
 * @returns the sign-ins that have ended, and the mail that reports it; null if the account was deactivated or its address has changed.
 */
async function setPassword(
  tx: Transaction,
  { userId, passwordHash, email, signInId = null, browserId = null }: NewPassword,
): Promise<{ ended: string[]; mailId: number | null } | null> {
  const isProven = email === undefined ? undefined : eq(users.email, email);
  const [user] = await tx
    .update(users)
    .set({
      passwordHash,
      failedAttempts: 0,
      lockedAt: null,
      ...(isProven !== undefined && { confirmedAt: sql`coalesce(${users.confirmedAt}, clock_timestamp())` }),
      updatedAt: sql`clock_timestamp()`,
    })
    .where(and(eq(users.id, userId), isProven, isNull(users.deactivatedAt)))
    .returning({ email: users.email });
  if (user === undefined) return null;
  await revokeTokens(tx, userId, ["reset_password", "change_email", "unlock"]);
  const ended = await endSignIns(tx, { userId, except: signInId });
  await forgetBrowsers(tx, { userId, except: browserId });
  if (user.email === null) return { ended, mailId: null };
  return { ended, mailId: await writeMail(tx, { kind: "password_changed", recipient: user.email, userId }) };
}
