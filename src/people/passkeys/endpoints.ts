import type { Endpoints } from "#src/http/endpoint.ts";
import { rates } from "#src/http/rates.ts";
import { mergeRefusals } from "#src/people/sign-ins/endpoints.ts";
import { viewerAnswer } from "#src/people/sign-ins/schemas.ts";
import {
  addPasskeyBody,
  confirmOptionsAnswer,
  creationOptionsAnswer,
  passkeyAnswer,
  passkeyProofBody,
  passkeysAnswer,
  passkeySignInBody,
  renamePasskeyBody,
  requestOptionsAnswer,
} from "./schemas.ts";

const refused = { status: 401, when: "The passkey is unknown, or does not answer the challenge." } as const;

const needsProof =
  "Unless the sign-in was by passkey in the last 10 minutes, it needs `current_password`, or a `credential` that answers a challenge of `confirmation`.";

/** The user's own passkeys (WebAuthn), and the sign-in by them. */
export const passkeysEndpoints = {
  askForPasskeySignIn: {
    route: "POST /users/sign_in/passkey/options",
    byPassword: true,
    summary: "Starts a sign-in by passkey",
    notes:
      "The answer has the options for `navigator.credentials.get()`. Its challenge can be answered once, within 5 minutes.",
    who: "no-account",
    rate: rates.passkeySignIn,
    answer: requestOptionsAnswer,
  },
  signInByPasskey: {
    route: "POST /users/sign_in/passkey",
    byPassword: true,
    summary: "Signs in by passkey",
    notes: "A lock after wrong passwords does not stop it: a passkey cannot be guessed.",
    who: "no-account",
    rate: rates.passkeySignIn,
    body: { user: passkeySignInBody },
    answer: viewerAnswer,
    refusals: {
      ...mergeRefusals,
      passkey_refused: refused,
      inactive: { status: 403, when: "The account was deactivated." },
      unconfirmed: { status: 403, when: "The email address was not confirmed within 24 hours." },
    },
  },
  listPasskeys: {
    route: "GET /api/v1/users/me/passkeys",
    summary: "Lists the user's own passkeys",
    who: "account",
    token: "none",
    answer: passkeysAnswer,
  },
  askForPasskey: {
    route: "POST /api/v1/users/me/passkeys/options",
    byPassword: true,
    summary: "Starts adding a passkey",
    notes: `The answer has the options for \`navigator.credentials.create()\`. ${needsProof}`,
    who: "account",
    rate: rates.changeAccount,
    body: { passkey: passkeyProofBody },
    bodyOptional: true,
    answer: creationOptionsAnswer,
    refusals: {
      passkey_refused: refused,
      passkey_required: { status: 403, when: "An admin who has a passkey must sign in by it first." },
    },
  },
  addPasskey: {
    route: "POST /api/v1/users/me/passkeys",
    byPassword: true,
    summary: "Adds a passkey",
    who: "account",
    rate: rates.changeAccount,
    body: { passkey: addPasskeyBody },
    answer: passkeyAnswer,
    creates: true,
    refusals: { passkey_refused: refused },
  },
  askToConfirmByPasskey: {
    route: "POST /api/v1/users/me/passkeys/confirmation",
    summary: "Starts confirming a change by passkey",
    notes:
      "The answer has the options for `navigator.credentials.get()`. Its challenge can be answered once, within 5 minutes, by the request that a password would confirm.",
    who: "account",
    rate: rates.changeAccount,
    answer: confirmOptionsAnswer,
  },
  renamePasskey: {
    route: "PATCH /api/v1/users/me/passkeys/:id",
    summary: "Renames a passkey",
    who: "account",
    body: { passkey: renamePasskeyBody },
    answer: passkeyAnswer,
  },
  removePasskey: {
    route: "DELETE /api/v1/users/me/passkeys/:id",
    summary: "Removes a passkey",
    notes: needsProof,
    who: "account",
    rate: rates.changeAccount,
    body: { passkey: passkeyProofBody },
    bodyOptional: true,
    refusals: {
      passkey_refused: refused,
      passkey_required: { status: 403, when: "An admin must sign in by passkey first." },
    },
  },
} as const satisfies Endpoints;
