import type { Endpoints } from "#src/http/endpoint.ts";
import { signInBody, viewerAnswer } from "./schemas.ts";

/** The endpoints for signing in and out. */
export const signInEndpoints = {
  signIn: {
    method: "POST",
    path: "/users/sign_in",
    summary: "Signs in",
    notes:
      "The answer sets the sign-in cookie. Older anti-forgery tokens become invalid; the answer's header has a new one.",
    who: "no-account",
    limited: true,
    body: { user: signInBody },
    answer: viewerAnswer,
    refusals: {
      already_signed_in: { status: 409, when: "The browser is signed in already." },
      invalid_credentials: { status: 401, when: "The email or the password is not right." },
      last_attempt: { status: 401, when: "The same, and one more wrong password locks the account." },
      locked: { status: 403, when: "The account is locked after too many wrong passwords." },
      inactive: { status: 403, when: "The account was deactivated." },
      unconfirmed: { status: 403, when: "The email address was not confirmed within 24 hours." },
    },
  },
  signOut: {
    method: "DELETE",
    path: "/users/sign_out",
    summary: "Signs out",
    notes: "Answers the same if nobody is signed in.",
    who: "anyone",
  },
} as const satisfies Endpoints;
