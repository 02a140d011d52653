import { Elysia } from "elysia";
import type { Deps } from "#src/deps.ts";
import { limitRate } from "#src/http/rate-limit.ts";
import { rates } from "#src/http/rates.ts";
import { readBody } from "#src/http/read-body.ts";
import { refusePrefetch } from "#src/http/refuse-prefetch.ts";
import { type AskedKind, askForMail } from "./ask-for-mail.ts";
import { dropSignIn } from "./carry-sign-in.ts";
import { confirmEmail } from "./confirm-email.ts";
import { askForMailBody, type MessageAnswer, resetPasswordBody } from "./contract.ts";
import { checkResetToken, resetPassword } from "./reset-password.ts";
import { unlockByMail } from "./unlock-by-mail.ts";
import type { Visit } from "./visit.ts";
import { visiting } from "./visiting.ts";

type Asked = { body: unknown; visit: Visit };
type Opened = { request: Request; visit: Visit };

/** The ways back in for whoever cannot sign in: mails with links, and what the links do. */
export function recoveryRoutes(deps: Deps) {
  return new Elysia({ name: "recovery" })
    .use(visiting(deps))
    .post("/users/password", sendMailOf(deps, "reset_password"))
    .post("/users/confirmation", sendMailOf(deps, "confirm_email"))
    .post("/users/unlock", sendMailOf(deps, "unlock"))
    .get("/users/password/edit", async ({ request, visit, status }) => {
      await limitRate(deps, rates.openMailLink, { ...visit, viewer: null });
      await checkResetToken(deps, secretIn(request, "reset_password_token"));
      return status(204);
    })
    .put("/users/password", async ({ request, body, visit }) => {
      await limitRate(deps, rates.openMailLink, { ...visit, viewer: null });
      const { userId, message } = await resetPassword(deps, readBody(body, "user", resetPasswordBody));
      if (visit.viewer?.id === userId) dropSignIn(deps.env, request);
      return { message };
    })
    .get("/users/confirmation", openLink(deps, "confirmation_token", confirmEmail))
    .get("/users/unlock", openLink(deps, "unlock_token", unlockByMail));
}

function sendMailOf(deps: Deps, kind: AskedKind) {
  return async ({ body, visit }: Asked): Promise<MessageAnswer> => {
    const { email } = readBody(body, "user", askForMailBody);
    await limitRate(deps, rates.askForMail, { ...visit, account: email });
    return { message: await askForMail(deps, { kind, email }) };
  };
}

function openLink(deps: Deps, name: string, open: (deps: Deps, secret: string) => Promise<string>) {
  return async ({ request, visit }: Opened): Promise<MessageAnswer> => {
    refusePrefetch(request);
    await limitRate(deps, rates.openMailLink, { ...visit, viewer: null });
    return { message: await open(deps, secretIn(request, name) ?? "") };
  };
}

function secretIn({ url }: Request, name: string): string | undefined {
  return new URL(url).searchParams.get(name) ?? undefined;
}
