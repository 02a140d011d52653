import type { Endpoints } from "#src/http/endpoint.ts";
import { signInBody, viewerAnswer } from "./schemas.ts";

/** Signs in and out. */
export const signInEndpoints = {
  signIn: {
    method: "POST",
    path: "/users/sign_in",
    summary: "Signs in",
    notes:
      "From then on the cookie says who asks, and anti-forgery tokens are new: the answer's header has one.",
    who: "no-account",
    limited: true,
    body: { user: signInBody },
    answer: viewerAnswer,
    refusals: {
      already_signed_in: { status: 409, when: "Somebody is signed in already." },
      invalid_credentials: { status: 401, when: "The email or the password is not right." },
      last_attempt: { status: 401, when: "The same, and the next wrong password locks the account." },
      locked: { status: 403, when: "The account is locked after too many wrong passwords." },
      inactive: { status: 403, when: "The account was deactivated." },
      unconfirmed: { status: 403, when: "The email address is not confirmed, and its day of grace is over." },
    },
  },
  signOut: {
    method: "DELETE",
    path: "/users/sign_out",
    summary: "Signs out",
    notes: "Whoever is signed out is answered the same.",
    who: "anyone",
  },
} as const satisfies Endpoints;
