import type { Deps } from "#src/base/deps.ts";
import { limitRate } from "#src/http/rate-limit.ts";
import { rates } from "#src/http/rates.ts";
import { refusePrefetch } from "#src/http/refuse-prefetch.ts";
import { detachSignIn } from "#src/sign-ins/attach-sign-in.ts";
import type { Authentication } from "#src/sign-ins/authenticate.ts";
import { serveEndpoints } from "#src/sign-ins/serve-endpoints.ts";
import { type AskedKind, askForMail } from "./ask-for-mail.ts";
import { confirmEmail } from "./confirm-email.ts";
import { recoveryEndpoints } from "./recovery-endpoints.ts";
import { checkResetToken, resetPassword } from "./reset-password.ts";
import type { MessageAnswer } from "./schemas.ts";
import { unlockByMail } from "./unlock-by-mail.ts";

type Asked = { body: { user: { email: string } }; visit: Authentication };
type Opened = { request: Request; visit: Authentication };

/** Answers the endpoints of the ways back in. */
export function recoveryRoutes(deps: Deps) {
  return serveEndpoints(deps, recoveryEndpoints, {
    askForPassword: sendMailOf(deps, "reset_password"),
    askForConfirmation: sendMailOf(deps, "confirm_email"),
    askForUnlock: sendMailOf(deps, "unlock"),
    checkResetToken: async ({ visit, query }) => {
      await countOpening(deps, visit);
      await checkResetToken(deps, query.resetPasswordToken);
    },
    resetPassword: async ({ request, body, visit }) => {
      await countOpening(deps, visit);
      const { userId, message } = await resetPassword(deps, body.user);
      if (visit.viewer?.id === userId) detachSignIn(deps.env, request);
      return { message };
    },
    confirmEmail: async ({ request, query, visit }) => {
      await mayOpen(deps, { request, visit });
      return { message: await confirmEmail(deps, query.confirmationToken) };
    },
    unlockByMail: async ({ request, query, visit }) => {
      await mayOpen(deps, { request, visit });
      return { message: await unlockByMail(deps, query.unlockToken) };
    },
  });
}

function sendMailOf(deps: Deps, kind: AskedKind) {
  return async ({ body: { user }, visit }: Asked): Promise<MessageAnswer> => {
    await limitRate(deps, rates.askForMail, { ...visit, account: user.email });
    return { message: await askForMail(deps, { kind, email: user.email }) };
  };
}

/** A link that does something: not for those that only look ahead (503), nor too often (429). */
async function mayOpen(deps: Deps, { request, visit }: Opened): Promise<void> {
  refusePrefetch(request);
  await countOpening(deps, visit);
}

/** Counted by address alone: whoever opens a mail's link need not be signed in. */
async function countOpening(deps: Deps, visit: Authentication): Promise<void> {
  await limitRate(deps, rates.openMailLink, { ...visit, viewer: null });
}
