import { eq } from "drizzle-orm";
import { inTransaction, type Queryable } from "#db/client.ts";
import { users } from "#db/schema/users.ts";
import type { Deps } from "#src/base/deps.ts";
import { limitRate } from "#src/http/rate-limit.ts";
import { rates } from "#src/http/rates.ts";
import { enqueueMail } from "#src/mail/enqueue-mail.ts";
import { writeMail } from "#src/mail/write-mail.ts";
import { attachSignIn, detachSignIn } from "#src/people/sign-ins/attach-sign-in.ts";
import type { Authentication } from "#src/people/sign-ins/authenticate.ts";
import { isLockedNow } from "#src/people/sign-ins/lock-account.ts";
import { tokenInvalid } from "#src/people/sign-ins/refusal.ts";
import { serveEndpoints } from "#src/people/sign-ins/serve-endpoints.ts";
import { browserOf } from "#src/people/sign-ins/start-sign-in.ts";
import { presentViewer } from "#src/people/sign-ins/viewer.ts";
import { checkConfirmation, confirmEmail } from "./confirm-email.ts";
import { recoveryEndpoints } from "./recovery-endpoints.ts";
import { checkResetToken, resetPassword } from "./reset-password.ts";
import type { MessageAnswer, PasswordResetAnswer, ResetPasswordBody } from "./schemas.ts";
import { findToken, useToken } from "./use-token.ts";

const kinds = ["unlock"] as const;
const UNLOCKED = "Your account is unlocked. Sign in to go on.";

type MailRequest = { body: { user: { email: string } }; authentication: Authentication };

/** The routes of account recovery. */
export function recoveryRoutes(deps: Deps) {
  return serveEndpoints(deps, recoveryEndpoints, {
    askForPassword: sendMailOf(deps, "reset_password"),
    askForConfirmation: sendMailOf(deps, "confirm_email"),
    askForUnlock: sendMailOf(deps, "unlock"),
    checkResetToken: async ({ authentication, query }) => {
      await limitOpening(deps, authentication);
      await checkResetToken(deps, query.resetPasswordToken);
    },
    resetPassword: async ({ request, body, authentication }) => {
      await limitOpening(deps, authentication);
      return changePasswordAt(deps, { request, authentication, form: body.user });
    },
    checkConfirmation: async ({ query, authentication }) => {
      await limitOpening(deps, authentication);
      return { message: await checkConfirmation(deps, query.confirmationToken) };
    },
    confirmEmail: async ({ body, authentication }) => {
      await limitOpening(deps, authentication);
      return { message: await confirmEmail(deps, body.user.confirmationToken) };
    },
    checkUnlock: async ({ query, authentication }) => {
      await limitOpening(deps, authentication);
      return { message: await checkUnlock(deps, query.unlockToken) };
    },
    unlockByMail: async ({ body, authentication }) => {
      await limitOpening(deps, authentication);
      return { message: await unlockByMail(deps, body.user.unlockToken) };
    },
  });
}

function sendMailOf(deps: Deps, kind: RequestedMailKind) {
  return async ({ body: { user }, authentication }: MailRequest): Promise<MessageAnswer> => {
    await limitRate(deps, rates.askForMail, { ...authentication, account: user.email });
    return { message: await askForMail(deps, { kind, email: user.email }) };
  };
}

/** Sets the password and signs the browser in, unless somebody else is signed in at it. */
async function changePasswordAt(
  deps: Deps,
  {
    request,
    authentication,
    form,
  }: { request: Request; authentication: Authentication; form: ResetPasswordBody },
): Promise<PasswordResetAnswer> {
  const { viewer } = authentication;
  const browser = viewer === null ? browserOf(deps.env, authentication, request) : null;
  const { userId, signIn, message } = await resetPassword(deps, { ...form, browser });
  if (viewer?.id === userId) detachSignIn(deps.env, request);
  const signedIn = signIn === null ? null : await attachSignIn(deps.env, request, signIn);
  return { message, user: signedIn === null ? null : presentViewer(signedIn) };
}

/** Counts by address only, because a mail's link is often opened while signed out. */
async function limitOpening(deps: Deps, authentication: Authentication): Promise<void> {
  await limitRate(deps, rates.openMailLink, { ...authentication, viewer: null });
}

/** The mails that anyone may request for an address. They are sent only to users who need them. */
type RequestedMailKind = "reset_password" | "confirm_email" | "unlock";

/**
 * Requests a mail with a link for an address. The user is looked up only when the mail is sent, so known and unknown
 * addresses get the same answer after the same work.
 * @returns the message for the client.
 */
async function askForMail(
  deps: Deps,
  { kind, email }: { kind: RequestedMailKind; email: string },
): Promise<string> {
  await enqueueMail(deps, await writeMail(deps.pool.db, { kind, recipient: email }));
  return "If this address is in our books and needs it, a mail with a link is on its way.";
}

/**
 * Unlocks an account by the link of a mail, and resets the count of wrong passwords. A link that was used before gets the
 * same answer and does nothing.
 * @returns the message for the user.
 * Refuses an invalid or expired link: 422.
 */
async function unlockByMail({ env, pool }: Deps, secret: string): Promise<string> {
  await inTransaction(pool.db, async (tx) => {
    const token = await useToken(tx, env, { secret, kinds });
    if (token !== null) {
      await tx.update(users).set({ failedAttempts: 0, lockedAt: null }).where(eq(users.id, token.userId));
      return;
    }
    await requireUnlocked(tx, await findToken(tx, env, { secret, kinds }));
  });
  return UNLOCKED;
}

/**
 * What the link of a mail has done: null if it was not used yet. Changes nothing.
 * Refuses an invalid or expired link: 422.
 */
async function checkUnlock({ env, pool }: Deps, secret: string): Promise<string | null> {
  const token = await findToken(pool.db, env, { secret, kinds });
  if (token?.usedAt === null) return null;
  await requireUnlocked(pool.db, token);
  return UNLOCKED;
}

/** After a used link the account may have been locked again: only the newer mail's link unlocks it then. */
async function requireUnlocked(db: Queryable, used: { userId: number } | null): Promise<void> {
  if (used === null) throw tokenInvalid("unlockToken");
  const [user] = await db.select({ locked: isLockedNow }).from(users).where(eq(users.id, used.userId));
  if (user?.locked !== false) throw tokenInvalid("unlockToken");
}
