import type { Endpoints } from "#src/http/endpoint.ts";
import { rates } from "#src/http/rates.ts";
import { viewerAnswer } from "#src/people/sign-ins/schemas.ts";
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
} from "./schemas.ts";

/** The endpoints for playing as a guest and for creating an account. */
export const registrationEndpoints = {
  playAsGuest: {
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
  },
  suggestGuest: {
    route: "GET /api/v1/guest_suggestion",
    summary: "Suggests a name and a face for a guest",
    notes: "Nobody has the name yet, and it is not kept for anybody: another request may take it.",
    who: "public",
    answer: guestSuggestionAnswer,
  },
  register: {
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
  },
} as const satisfies Endpoints;

/** The endpoints of the user's own account: address, password, sign-ins. Guests have no account yet. */
export const accountEndpoints = {
  showAccount: {
    route: "GET /api/v1/users/me/account",
    summary: "Shows the user's own address and signed-in browsers",
    who: "account",
    token: "none",
    answer: accountAnswer,
  },
  changeEmail: {
    route: "PUT /api/v1/users/me/email",
    summary: "Requests another email address",
    notes: "The address changes when the link in the mail to the new one is opened.",
    who: "account",
    rate: rates.changeAccount,
    body: { user: emailChangeBody },
    answer: messageAnswer,
  },
  changePassword: {
    route: "PUT /api/v1/users/me/password",
    byPassword: true,
    summary: "Changes the user's own password",
    notes: "All other browsers are signed out.",
    who: "account",
    rate: rates.changeAccount,
    body: { user: passwordChangeBody },
    answer: messageAnswer,
  },
  deactivateOwnAccount: {
    route: "PUT /api/v1/users/me/deactivate",
    summary: "Deactivates the user's own account, and signs out",
    who: "account",
    rate: rates.changeAccount,
    body: { user: ownPasswordBody },
  },
  endOtherSignIns: {
    route: "DELETE /api/v1/users/me/sign_ins",
    summary: "Signs out all other browsers of the user",
    who: "account",
  },
  endSignIn: {
    route: "DELETE /api/v1/users/me/sign_ins/:id",
    summary: "Signs out one of the user's browsers",
    who: "account",
    params: { id: "text" },
  },
} as const satisfies Endpoints;

/** The endpoints of account recovery: requests for mails with links, and the targets of these links. */
export const recoveryEndpoints = {
  askForPassword: {
    ...mailRequest("/users/password", "Requests a mail with a link for a new password"),
    byPassword: true,
  },
  askForConfirmation: mailRequest("/users/confirmation", "Requests another mail that confirms the address"),
  askForUnlock: {
    ...mailRequest("/users/unlock", "Requests a mail that unlocks the account"),
    byPassword: true,
  },
  checkResetToken: {
    route: "GET /users/password/edit",
    summary: "Checks a mail's link for a new password",
    who: "anyone",
    rate: rates.openMailLink,
    query: resetPasswordQuery.entries,
    refusals: { reset_token_missing: { status: 403, when: "The link has no token." } },
  },
  resetPassword: {
    route: "PUT /users/password",
    summary: "Sets a new password by a mail's link",
    notes:
      "Signs the user out everywhere, and in at a signed-out browser: `user`. It is null where somebody is signed in there.",
    who: "anyone",
    rate: rates.openMailLink,
    body: { user: resetPasswordBody },
    answer: passwordResetAnswer,
    refusals: { reset_token_missing: { status: 403, when: "The link has no token." } },
  },
  checkConfirmation: {
    route: "GET /users/confirmation",
    summary: "Checks a mail's link that confirms an address",
    notes: "It changes nothing: programs that look for bad links open them, too.",
    who: "anyone",
    rate: rates.openMailLink,
    query: confirmationQuery.entries,
    answer: linkAnswer,
  },
  confirmEmail: {
    route: "PUT /users/confirmation",
    summary: "Confirms an address by a mail's link",
    who: "anyone",
    rate: rates.openMailLink,
    body: { user: confirmationBody },
    answer: messageAnswer,
  },
  checkUnlock: {
    route: "GET /users/unlock",
    summary: "Checks a mail's link that unlocks an account",
    notes: "It changes nothing: programs that look for bad links open them, too.",
    who: "anyone",
    rate: rates.openMailLink,
    query: unlockQuery.entries,
    answer: linkAnswer,
  },
  unlockByMail: {
    route: "PUT /users/unlock",
    summary: "Unlocks an account by a mail's link",
    who: "anyone",
    rate: rates.openMailLink,
    body: { user: unlockBody },
    answer: messageAnswer,
  },
} as const satisfies Endpoints;

function mailRequest<Path extends string>(path: Path, summary: string) {
  const notes = "The answer does not reveal whether a user has this address.";
  const exchange = { body: { user: askForMailBody }, answer: messageAnswer };
  return { route: `POST ${path}`, summary, notes, who: "anyone", limited: true, ...exchange } as const;
}
