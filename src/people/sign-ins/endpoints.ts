import type { Endpoints } from "#src/http/endpoint.ts";
import { signInBody, viewerAnswer } from "./schemas.ts";

/** What a sign-in is refused for that is to merge a guest. */
export const mergeRefusals = {
  no_guest: { status: 409, when: "A guest is to be merged, and none plays." },
  open_calls: { status: 409, when: "The guest to be merged has open calls." },
  excluded: { status: 409, when: "A host has taken the guest to be merged out of a leaderboard." },
  two_teams: { status: 409, when: "The guest to be merged has results in another team than the account." },
  too_many_guests: { status: 409, when: "The account has taken in as many guests as its user may ask for." },
} as const;

export const signInEndpoints = {
  signIn: {
    route: "POST /users/sign_in",
    byPassword: true,
    summary: "Signs in",
    notes:
      "The answer sets the sign-in cookie. Older anti-forgery tokens become invalid; the answer's header has a new one. With `merge_guest` the guest who plays at this browser becomes a part of the account: calls, results, ranks, and what it has won.",
    who: "no-account",
    limited: true,
    body: { user: signInBody },
    answer: viewerAnswer,
    refusals: {
      already_signed_in: { status: 409, when: "The browser is signed in already." },
      ...mergeRefusals,
      invalid_credentials: { status: 401, when: "The email or the password is not right." },
      last_attempt: { status: 401, when: "The same, and one more wrong password locks the account." },
      locked: { status: 403, when: "The account is locked after too many wrong passwords." },
      inactive: { status: 403, when: "The account was deactivated." },
      unconfirmed: { status: 403, when: "The email address was not confirmed within 24 hours." },
    },
  },
  signOut: {
    route: "DELETE /users/sign_out",
    summary: "Signs out",
    notes: "Answers the same if nobody is signed in.",
    who: "anyone",
  },
} as const satisfies Endpoints;
