import type { Deps } from "#src/base/deps.ts";
import { limitRate } from "#src/http/rate-limit.ts";
import { rates } from "#src/http/rates.ts";
import type { RequestContext } from "#src/http/request-context.ts";
import { enqueueMail, writeMail } from "#src/mail/write-mail.ts";
import type { Authentication } from "#src/people/sign-ins/authenticate.ts";
import { viewerAnswer } from "#src/people/sign-ins/schemas.ts";
import { endpoint } from "#src/people/sign-ins/serve-endpoints.ts";
import { readBrowserCookie } from "#src/people/sign-ins/signed-cookies.ts";
import { attachSignIn, browserOf, detachSignIn } from "#src/people/sign-ins/start-sign-in.ts";
import { presentViewer } from "#src/people/sign-ins/viewer.ts";
import { askForEmailChange } from "./change-email.ts";
import { changePassword, checkResetToken, resetPassword } from "./change-password.ts";
import { checkConfirmation, confirmEmail } from "./confirm-email.ts";
import { createGuest } from "./create-guest.ts";
import { deactivateOwnAccount, endOtherSignIns, endOwnSignIn, findAccount } from "./own-account.ts";
import { registerAccount } from "./register-account.ts";
import {
  accountAnswer,
  askForMailBody,
  confirmationBody,
  confirmationQuery,
  emailChangeBody,
  guestBody,
  guestSuggestionAnswer,
  linkAnswer,
  messageAnswer,
  ownPasswordBody,
  passwordChangeBody,
  passwordResetAnswer,
  registrationBody,
  resetPasswordBody,
  resetPasswordQuery,
  unlockBody,
  unlockQuery,
  type MessageAnswer,
  type PasswordResetAnswer,
  type ResetPasswordBody,
} from "./schemas.ts";
import { nameGuest, suggestGuest } from "./suggest-guest.ts";
import { checkUnlock, unlockByMail } from "./unlock-by-mail.ts";

export const registrationEndpoints = {
  playAsGuest: endpoint({
    route: "POST /users/guest",
    summary: "Starts playing as a guest, without an account",
    notes: "A guest has a wallet and places calls like any player.",
    who: "signed-out",
    rate: rates.playAsGuest,
    body: { user: guestBody },
    bodyOptional: true,
    answer: viewerAnswer,
    creates: true,
    refusals: { switched_off: { status: 403, when: "An admin has turned guests off." } },
    handle: async (deps, { request, context, authentication, body, keyed }) => {
      const browser = browserOf(deps.env, authentication, request);
      const byVisitor = { keyed, visitorSecret: authentication.csrfSecret };
      const guest = await createGuest(deps, browser, await nameGuest(deps.pool.db, body.user), byVisitor);
      await attachSignIn(deps.env, context, guest);
      return { user: presentViewer(guest.viewer) };
    },
  }),
  suggestGuest: endpoint({
    route: "GET /api/v1/guest_suggestion",
    summary: "Suggests a name and a face for a guest",
    notes: "Nobody has the name yet, and it is not kept for anybody: another request may take it.",
    who: "public",
    answer: guestSuggestionAnswer,
    handle: async (deps) => ({ guestSuggestion: await suggestGuest(deps) }),
  }),
  register: endpoint({
    route: "POST /users/guest_registration",
    byPassword: true,
    summary: "Creates an account, from a guest or from scratch",
    notes:
      "A guest keeps id, wallet and calls. A mail asks to confirm the address. `terms` may be left out; sent, it must accept them. `invitation` is what the link of an invitation has; only where REGISTRATION is `invited` it counts.",
    who: "no-account",
    limited: true,
    body: { user: registrationBody },
    answer: viewerAnswer,
    creates: true,
    refusals: {
      switched_off: { status: 403, when: "REGISTRATION is off, or an admin has turned registration off." },
      not_invited: {
        status: 403,
        when: "REGISTRATION is invited, and there is no invitation, or it is used up, too old or taken back.",
      },
    },
    handle: async (deps, { request, context, body, authentication, keyed }) => {
      const account = await registerAccount(deps, { request, form: body.user, authentication }, keyed);
      await attachSignIn(deps.env, context, account);
      return { user: presentViewer(account.viewer) };
    },
  }),
};

/** The endpoints of the user's own account: address, password, sign-ins. Guests have no account yet. */
export const accountEndpoints = {
  showAccount: endpoint({
    route: "GET /api/v1/users/me/account",
    summary: "Shows the user's own address and signed-in browsers",
    who: "account",
    token: "none",
    answer: accountAnswer,
    handle: (deps, { viewer: { id: userId }, authentication: { signInId } }) =>
      findAccount(deps.pool.db, { userId, signInId }),
  }),
  changeEmail: endpoint({
    route: "PUT /api/v1/users/me/email",
    summary: "Requests another email address",
    notes: "The address changes when the link in the mail to the new one is opened.",
    who: "account",
    rate: rates.changeAccount,
    body: { user: emailChangeBody },
    answer: messageAnswer,
    handle: async (deps, { viewer, authentication: { signInId }, body: { user: form } }) => ({
      message: await askForEmailChange(deps, { viewer, signInId, form }),
    }),
  }),
  changePassword: endpoint({
    route: "PUT /api/v1/users/me/password",
    byPassword: true,
    summary: "Changes the user's own password",
    notes: "All other browsers are signed out.",
    who: "account",
    rate: rates.changeAccount,
    body: { user: passwordChangeBody },
    answer: messageAnswer,
    handle: async (deps, { request, viewer, authentication: { signInId }, body: { user: form } }) => {
      const browserId = readBrowserCookie(deps.env, request);
      return { message: await changePassword(deps, { viewer, signInId, browserId, form }) };
    },
  }),
  deactivateOwnAccount: endpoint({
    route: "PUT /api/v1/users/me/deactivate",
    summary: "Deactivates the user's own account, and signs out",
    who: "account",
    rate: rates.changeAccount,
    body: { user: ownPasswordBody },
    handle: async (deps, { context, viewer, authentication: { signInId }, body }) => {
      await deactivateOwnAccount(deps, { viewer, signInId, ...body.user });
      detachSignIn(deps.env, context);
    },
  }),
  endOtherSignIns: endpoint({
    route: "DELETE /api/v1/users/me/sign_ins",
    summary: "Signs out all other browsers of the user",
    who: "account",
    handle: (deps, { viewer: { id: userId }, authentication: { signInId } }) =>
      endOtherSignIns(deps, { userId, signInId }),
  }),
  endSignIn: endpoint({
    route: "DELETE /api/v1/users/me/sign_ins/:id",
    summary: "Signs out one of the user's browsers",
    who: "account",
    params: { id: "text" },
    handle: (deps, { viewer: { id: userId }, params }) => endOwnSignIn(deps, userId, params.id),
  }),
};

const byMailLink = { who: "anyone", rate: rates.openMailLink } as const;

/** The endpoints of account recovery: requests for mails with links, and the targets of these links. */
export const recoveryEndpoints = {
  askForPassword: endpoint({
    ...mailRequest("/users/password", "Requests a mail with a link for a new password"),
    byPassword: true,
    handle: sendMailOf("reset_password"),
  }),
  askForConfirmation: endpoint({
    ...mailRequest("/users/confirmation", "Requests another mail that confirms the address"),
    handle: sendMailOf("confirm_email"),
  }),
  askForUnlock: endpoint({
    ...mailRequest("/users/unlock", "Requests a mail that unlocks the account"),
    byPassword: true,
    handle: sendMailOf("unlock"),
  }),
  checkResetToken: endpoint({
    route: "GET /users/password/edit",
    summary: "Checks a mail's link for a new password",
    ...byMailLink,
    query: resetPasswordQuery.entries,
    refusals: { reset_token_missing: { status: 403, when: "The link has no token." } },
    handle: async (deps, { query }) => void (await checkResetToken(deps, query.resetPasswordToken)),
  }),
  resetPassword: endpoint({
    route: "PUT /users/password",
    summary: "Sets a new password by a mail's link",
    notes:
      "Signs the user out everywhere, and in at a signed-out browser: `user`. It is null where somebody is signed in there.",
    ...byMailLink,
    body: { user: resetPasswordBody },
    answer: passwordResetAnswer,
    refusals: { reset_token_missing: { status: 403, when: "The link has no token." } },
    handle: (deps, { context, body, authentication }) =>
      changePasswordAt(deps, { context, authentication, form: body.user }),
  }),
  checkConfirmation: endpoint({
    route: "GET /users/confirmation",
    summary: "Checks a mail's link that confirms an address",
    notes: "It changes nothing: programs that look for bad links open them, too.",
    ...byMailLink,
    query: confirmationQuery.entries,
    answer: linkAnswer,
    handle: async (deps, { query }) => ({
      message: await checkConfirmation(deps, query.confirmationToken),
    }),
  }),
  confirmEmail: endpoint({
    route: "PUT /users/confirmation",
    summary: "Confirms an address by a mail's link",
    ...byMailLink,
    body: { user: confirmationBody },
    answer: messageAnswer,
    handle: async (deps, { body }) => ({ message: await confirmEmail(deps, body.user.confirmationToken) }),
  }),
  checkUnlock: endpoint({
    route: "GET /users/unlock",
    summary: "Checks a mail's link that unlocks an account",
    notes: "It changes nothing: programs that look for bad links open them, too.",
    ...byMailLink,
    query: unlockQuery.entries,
    answer: linkAnswer,
    handle: async (deps, { query }) => ({ message: await checkUnlock(deps, query.unlockToken) }),
  }),
  unlockByMail: endpoint({
    route: "PUT /users/unlock",
    summary: "Unlocks an account by a mail's link",
    ...byMailLink,
    body: { user: unlockBody },
    answer: messageAnswer,
    handle: async (deps, { body }) => ({ message: await unlockByMail(deps, body.user.unlockToken) }),
  }),
};

function mailRequest<Path extends string>(path: Path, summary: string) {
  const notes = "The answer does not reveal whether a user has this address.";
  const exchange = { body: { user: askForMailBody }, answer: messageAnswer };
  return { route: `POST ${path}`, summary, notes, who: "anyone", limited: true, ...exchange } as const;
}

type MailRequest = { body: { user: { email: string } }; authentication: Authentication };

/**
 * Requests a mail with a link for an address, which is sent only to users who need it. The user is looked up when the mail is sent, so
 * known and unknown addresses get the same answer after the same work.
 */
function sendMailOf(kind: "reset_password" | "confirm_email" | "unlock") {
  return async (deps: Deps, { body: { user }, authentication }: MailRequest): Promise<MessageAnswer> => {
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
