import { eq } from "drizzle-orm";
import { inTransaction, type Queryable } from "#db/client.ts";
import { users } from "#db/schema/users.ts";
import type { Deps } from "#src/base/deps.ts";
import { forbidden, invalid } from "#src/base/refusal.ts";
import { limitRate } from "#src/http/rate-limit.ts";
import { rates } from "#src/http/rates.ts";
import type { RequestContext } from "#src/http/request-context.ts";
import { enqueueMail, writeMail } from "#src/mail/write-mail.ts";
import type { Authentication } from "#src/people/sign-ins/authenticate.ts";
import { checkOwnPassword, isLockedNow } from "#src/people/sign-ins/lock-account.ts";
import { tokenInvalid } from "#src/people/sign-ins/refusal.ts";
import { serveEndpoints } from "#src/people/sign-ins/serve-endpoints.ts";
import { readBrowserCookie } from "#src/people/sign-ins/signed-cookies.ts";
import { attachSignIn, browserOf, detachSignIn } from "#src/people/sign-ins/start-sign-in.ts";
import { presentViewer, type Viewer } from "#src/people/sign-ins/viewer.ts";
import { changePassword, checkResetToken, resetPassword } from "./change-password.ts";
import { checkConfirmation, confirmEmail } from "./confirm-email.ts";
import { createGuest } from "./create-guest.ts";
import { accountEndpoints, recoveryEndpoints, registrationEndpoints } from "./endpoints.ts";
import { deactivateAccount } from "./manage-user.ts";
import { endOtherSignIns, endOwnSignIn, findAccount } from "./own-account.ts";
import { registerAccount } from "./register-account.ts";
import { hasAdminRole } from "./roles-of-user.ts";
import type { EmailChange, MessageAnswer, PasswordResetAnswer, ResetPasswordBody } from "./schemas.ts";
import { nameGuest, suggestGuest } from "./suggest-guest.ts";
import { findToken, revokeTokens, useToken } from "./tokens.ts";

const kinds = ["unlock"] as const;
const UNLOCKED = "Your account is unlocked. Sign in to go on.";

export function usersRoutes(deps: Deps) {
  return [...registrationRoutes(deps), ...recoveryRoutes(deps), ...accountRoutes(deps)];
}

function registrationRoutes(deps: Deps) {
  return serveEndpoints(registrationEndpoints, {
    playAsGuest: async ({ request, context, authentication, body, keyed }) => {
      const browser = browserOf(deps.env, authentication, request);
      const byVisitor = { keyed, visitorSecret: authentication.csrfSecret };
      const guest = await createGuest(deps, browser, await nameGuest(deps.pool.db, body.user), byVisitor);
      await attachSignIn(deps.env, context, guest);
      return { user: presentViewer(guest.viewer) };
    },
    suggestGuest: async () => ({ guestSuggestion: await suggestGuest(deps) }),
    register: async ({ request, context, body, authentication, keyed }) => {
      const account = await registerAccount(deps, { request, form: body.user, authentication }, keyed);
      await attachSignIn(deps.env, context, account);
      return { user: presentViewer(account.viewer) };
    },
  });
}

function accountRoutes(deps: Deps) {
  return serveEndpoints(accountEndpoints, {
    showAccount: ({ viewer: { id: userId }, authentication: { signInId } }) =>
      findAccount(deps.pool.db, { userId, signInId }),
    changeEmail: async ({ viewer, authentication: { signInId }, body: { user: form } }) => ({
      message: await askForEmailChange(deps, { viewer, signInId, form }),
    }),
    changePassword: async ({ request, viewer, authentication: { signInId }, body: { user: form } }) => {
      const browserId = readBrowserCookie(deps.env, request);
      return { message: await changePassword(deps, { viewer, signInId, browserId, form }) };
    },
    deactivateOwnAccount: async ({ context, viewer, authentication: { signInId }, body }) => {
      await deactivateOwnAccount(deps, { viewer, signInId, ...body.user });
      detachSignIn(deps.env, context);
    },
    endOtherSignIns: ({ viewer: { id: userId }, authentication: { signInId } }) =>
      endOtherSignIns(deps, { userId, signInId }),
    endSignIn: ({ viewer: { id: userId }, params }) => endOwnSignIn(deps, userId, params.id),
  });
}

/**
 * Deactivates the user's own account: all sign-ins end, and new ones are refused until an admin reactivates it. Its data
 * stays. Refuses a wrong password (422), and an admin, so that there is always one left (403).
 */
async function deactivateOwnAccount(
  deps: Deps,
  { viewer, signInId, currentPassword }: { viewer: Viewer; signInId: string | null; currentPassword: string },
): Promise<void> {
  if (await hasAdminRole(deps.pool.db, viewer.id))
    throw forbidden("An admin stays. Have another admin take your role first.");
  await checkOwnPassword(deps, { userId: viewer.id, signInId }, currentPassword);
  await deactivateAccount(deps, { userId: viewer.id, actor: viewer, reason: null });
}

/**
 * Requests another email address. It changes only when the link in the mail to the new address is opened; the old address
 * is notified at once. A new request replaces an earlier one.
 * @returns the message for the user.
 * Refuses a wrong current password, and an address that is taken: 422.
 */
async function askForEmailChange(
  deps: Deps,
  {
    viewer,
    signInId,
    form: { email, currentPassword },
  }: { viewer: Viewer; signInId: string | null; form: EmailChange },
): Promise<string> {
  await checkOwnPassword(deps, { userId: viewer.id, signInId }, currentPassword);
  const taken = await deps.pool.db.$count(users, eq(users.email, email));
  if (taken > 0) throw invalid({ email: ["has already been taken"] });
  const mailIds = await inTransaction(deps.pool.db, async (tx) => {
    await revokeTokens(tx, viewer.id, ["change_email"]);
    const toNew = await writeMail(tx, { kind: "change_email", recipient: email, userId: viewer.id });
    if (viewer.email === null) return [toNew];
    const old = { kind: "email_change_asked", recipient: viewer.email, userId: viewer.id } as const;
    return [toNew, await writeMail(tx, old)];
  });
  for (const mailId of mailIds) await enqueueMail(deps, mailId);
  return `Open the link in the mail to ${email}. Until then your old address stays.`;
}

type MailRequest = { body: { user: { email: string } }; authentication: Authentication };

function recoveryRoutes(deps: Deps) {
  return serveEndpoints(recoveryEndpoints, {
    askForPassword: sendMailOf(deps, "reset_password"),
    askForConfirmation: sendMailOf(deps, "confirm_email"),
    askForUnlock: sendMailOf(deps, "unlock"),
    checkResetToken: async ({ query }) => void (await checkResetToken(deps, query.resetPasswordToken)),
    resetPassword: ({ context, body, authentication }) =>
      changePasswordAt(deps, { context, authentication, form: body.user }),
    checkConfirmation: async ({ query }) => ({
      message: await checkConfirmation(deps, query.confirmationToken),
    }),
    confirmEmail: async ({ body }) => ({ message: await confirmEmail(deps, body.user.confirmationToken) }),
    checkUnlock: async ({ query }) => ({ message: await checkUnlock(deps, query.unlockToken) }),
    unlockByMail: async ({ body }) => ({ message: await unlockByMail(deps, body.user.unlockToken) }),
  });
}

/**
 * Requests a mail with a link for an address, which is sent only to users who need it. The user is looked up when the mail is sent, so
 * known and unknown addresses get the same answer after the same work.
 */
function sendMailOf(deps: Deps, kind: "reset_password" | "confirm_email" | "unlock") {
  return async ({ body: { user }, authentication }: MailRequest): Promise<MessageAnswer> => {
    const { email } = user;
    await limitRate(deps, rates.askForMail, { ...authentication, account: email });
    await enqueueMail(deps, await writeMail(deps.pool.db, { kind, recipient: email }));
    return { message: "If this address is in our books and needs it, a mail with a link is on its way." };
  };
}

/** Sets the password and signs the browser in, unless somebody else is signed in at it. */
async function changePasswordAt(
  deps: Deps,
  {
    context,
    authentication,
    form,
  }: { context: RequestContext; authentication: Authentication; form: ResetPasswordBody },
): Promise<PasswordResetAnswer> {
  const { viewer } = authentication;
  const browser = viewer === null ? browserOf(deps.env, authentication, context.request) : null;
  const { userId, signIn, message } = await resetPassword(deps, { ...form, browser });
  if (viewer?.id === userId) detachSignIn(deps.env, context);
  const signedIn = signIn === null ? null : await attachSignIn(deps.env, context, signIn);
  return { message, user: signedIn === null ? null : presentViewer(signedIn) };
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
