import type { Deps } from "#src/base/deps.ts";
import { limitRate } from "#src/http/rate-limit.ts";
import { rates } from "#src/http/rates.ts";
import { attachSignIn, detachSignIn } from "#src/people/sign-ins/attach-sign-in.ts";
import type { Authentication } from "#src/people/sign-ins/authenticate.ts";
import { serveEndpoints } from "#src/people/sign-ins/serve-endpoints.ts";
import { browserOf } from "#src/people/sign-ins/start-sign-in.ts";
import { presentViewer } from "#src/people/sign-ins/viewer.ts";
import { type RequestedMailKind, askForMail } from "./ask-for-mail.ts";
import { checkConfirmation, confirmEmail } from "./confirm-email.ts";
import { recoveryEndpoints } from "./recovery-endpoints.ts";
import { checkResetToken, resetPassword } from "./reset-password.ts";
import type { MessageAnswer, PasswordResetAnswer, ResetPasswordBody } from "./schemas.ts";
import { checkUnlock, unlockByMail } from "./unlock-by-mail.ts";

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
