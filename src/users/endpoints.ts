import type { Endpoints } from "#src/http/endpoint.ts";
import { rates } from "#src/http/rates.ts";
import { viewerAnswer } from "#src/sign-ins/schemas.ts";
import {
  accountAnswer,
  emailChangeBody,
  messageAnswer,
  ownPasswordBody,
  passwordChangeBody,
  registrationBody,
} from "./schemas.ts";

/** Playing as a guest, and making an account. */
export const registrationEndpoints = {
  playAsGuest: {
    method: "POST",
    path: "/users/guest",
    summary: "Begins to play without an account",
    notes: "A guest has a wallet and places calls like everybody.",
    who: "signed-out",
    rate: rates.playAsGuest,
    answer: viewerAnswer,
    status: 201,
  },
  register: {
    method: "POST",
    path: "/users/guest_registration",
    summary: "Makes an account: of a guest, or from nothing",
    notes: "A guest keeps id, wallet and calls. A mail asks to confirm the address.",
    who: "no-account",
    limited: true,
    body: { user: registrationBody },
    answer: viewerAnswer,
    status: 201,
  },
} as const satisfies Endpoints;

/** The own account: address, password, sign-ins. Guests have none yet. */
export const accountEndpoints = {
  showAccount: {
    method: "GET",
    path: "/api/v1/users/me/account",
    summary: "Shows one's own address and the browsers that are signed in",
    who: "account",
    answer: accountAnswer,
  },
  changeEmail: {
    method: "PUT",
    path: "/api/v1/users/me/email",
    summary: "Asks for another email address",
    notes: "It holds once the link in the mail to it is opened.",
    who: "account",
    rate: rates.changeAccount,
    body: { user: emailChangeBody },
    answer: messageAnswer,
  },
  changePassword: {
    method: "PUT",
    path: "/api/v1/users/me/password",
    summary: "Changes one's own password",
    notes: "All other browsers are signed out.",
    who: "account",
    rate: rates.changeAccount,
    body: { user: passwordChangeBody },
    answer: messageAnswer,
  },
  deactivateOwnAccount: {
    method: "PUT",
    path: "/api/v1/users/me/deactivate",
    summary: "Deactivates one's own account, and signs out",
    who: "account",
    rate: rates.changeAccount,
    body: { user: ownPasswordBody },
  },
  endOtherSignIns: {
    method: "DELETE",
    path: "/api/v1/users/me/sign_ins",
    summary: "Signs all other browsers out",
    who: "account",
  },
  endSignIn: {
    method: "DELETE",
    path: "/api/v1/users/me/sign_ins/:id",
    summary: "Signs one of one's own browsers out",
    who: "account",
    params: { id: "text" },
  },
} as const satisfies Endpoints;
