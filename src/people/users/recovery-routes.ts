import type { Deps } from "#src/base/deps.ts";
import { limitRate } from "#src/http/rate-limit.ts";
import { rates } from "#src/http/rates.ts";
import { detachSignIn } from "#src/people/sign-ins/attach-sign-in.ts";
import type { Authentication } from "#src/people/sign-ins/authenticate.ts";
import { serveEndpoints } from "#src/people/sign-ins/serve-endpoints.ts";
import { type RequestedMailKind, askForMail } from "./ask-for-mail.ts";
import { checkConfirmation, confirmEmail } from "./confirm-email.ts";
import { recoveryEndpoints } from "./recovery-endpoints.ts";
import { checkResetToken, resetPassword } from "./reset-password.ts";
import type { MessageAnswer } from "./schemas.ts";
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
      const { userId, message } = await resetPassword(deps, body.user);
      if (authentication.viewer?.id === userId) detachSignIn(deps.env, request);
      return { message };
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

/** Counts by address only, because a mail's link is often opened while signed out. */
async function limitOpening(deps: Deps, authentication: Authentication): Promise<void> {
  await limitRate(deps, rates.openMailLink, { ...authentication, viewer: null });
}
