import { and, eq, isNull, sql } from "drizzle-orm";
import { inTransaction, type Transaction } from "#db/client.ts";
import { users } from "#db/schema/users.ts";
import type { Deps } from "#src/base/deps.ts";
import { unauthenticated } from "#src/base/refusal.ts";
import { enqueueMail, writeMail } from "#src/mail/write-mail.ts";
import { checkOwnPassword } from "#src/people/sign-ins/check-own-password.ts";
import { disconnectSignIns, endSignIns } from "#src/people/sign-ins/end-sign-ins.ts";
import { findViewer } from "#src/people/sign-ins/find-sign-in.ts";
import { forgetBrowsers } from "#src/people/sign-ins/known-browsers.ts";
import { hashPassword } from "#src/people/sign-ins/passwords.ts";
import { resetTokenMissing, tokenInvalid } from "#src/people/sign-ins/refusal.ts";
import { type Browser, type SignIn, startSignIn } from "#src/people/sign-ins/start-sign-in.ts";
import type { Viewer } from "#src/people/sign-ins/viewer.ts";
import { refuseCommonPassword } from "./refuse-common-password.ts";
import { revokeTokens } from "./revoke-tokens.ts";
import type { PasswordChange } from "./schemas.ts";
import { findToken, useToken } from "./use-token.ts";

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
    const [user] = await tx
      .update(users)
      .set({ passwordHash, failedAttempts: 0, lockedAt: null, updatedAt: sql`clock_timestamp()` })
      .where(and(eq(users.id, viewer.id), isNull(users.deactivatedAt)))
      .returning({ email: users.email });
    if (user === undefined) throw unauthenticated();
    await revokeTokens(tx, viewer.id, ["reset_password", "change_email", "unlock"]);
    const ended = await endSignIns(tx, { userId: viewer.id, except: signInId });
    await forgetBrowsers(tx, { userId: viewer.id, except: browserId });
    if (user.email === null) return { ended, mailId: null };
    const mail = { kind: "password_changed", recipient: user.email, userId: viewer.id } as const;
    return { ended, mailId: await writeMail(tx, mail) };
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

/** The email and username of the link's user. */
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
    const email = token === null ? null : await updatePassword(tx, token, passwordHash);
    if (token === null || email === null) throw tokenInvalid("resetPasswordToken");
    await revokeTokens(tx, token.userId, ["change_email", "unlock"]);
    await forgetBrowsers(tx, { userId: token.userId });
    const ended = await endSignIns(tx, { userId: token.userId });
    const viewer = await findViewer(tx, token.userId);
    return {
      userId: token.userId,
      ended,
      signIn: browser === null ? null : await startSignIn(tx, { viewer, remembered: false, ...browser }),
      mailId: await writeMail(tx, { kind: "password_changed", recipient: email, userId: token.userId }),
    };
  });
  await disconnectSignIns(deps, ended);
  await enqueueMail(deps, mailId);
  const done = "Your password is changed.";
  return { userId, signIn, message: signIn === null ? `${done} Sign in with the new one.` : done };
}

/** @returns the email; null if the account was deactivated or its address has changed. */
async function updatePassword(
  tx: Transaction,
  { userId, email }: { userId: number; email: string },
  passwordHash: string,
): Promise<string | null> {
  const [user] = await tx
    .update(users)
    .set({
      passwordHash,
      failedAttempts: 0,
      lockedAt: null,
      confirmedAt: sql`coalesce(${users.confirmedAt}, clock_timestamp())`,
      updatedAt: sql`clock_timestamp()`,
    })
    .where(and(eq(users.id, userId), eq(users.email, email), isNull(users.deactivatedAt)))
    .returning({ email: users.email });
  return user?.email ?? null;
}
