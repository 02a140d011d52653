import { rates } from "#src/http/rates.ts";
import type { Authentication } from "#src/people/sign-ins/authenticate.ts";
import { signOut } from "#src/people/sign-ins/end-sign-ins.ts";
import { mergeRefusals } from "#src/people/sign-ins/endpoints.ts";
import { guestToMerge } from "#src/people/sign-ins/merge-guest.ts";
import { viewerAnswer } from "#src/people/sign-ins/schemas.ts";
import { endpoint } from "#src/people/sign-ins/serve-endpoints.ts";
import { attachSignIn, browserOf } from "#src/people/sign-ins/start-sign-in.ts";
import { presentViewer } from "#src/people/sign-ins/viewer.ts";
import { askToConfirm } from "./check-own-passkey.ts";
import { addPasskey, askForPasskey, removePasskey, renamePasskey } from "./manage-passkeys.ts";
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
import { signInByPasskey } from "./sign-in-by-passkey.ts";
import { listPasskeys, signedIn } from "./signed-in.ts";
import { askForAnswer } from "./verify-passkey.ts";

const refused = { status: 401, when: "The passkey is unknown, or does not answer the challenge." } as const;

const needsProof =
  "Unless the sign-in was by passkey in the last 10 minutes, it needs `current_password`, or a `credential` that answers a challenge of `confirmation`.";

/** The user's own passkeys (WebAuthn), and the sign-in by them. */
export const passkeysEndpoints = {
  askForPasskeySignIn: endpoint({
    route: "POST /users/sign_in/passkey/options",
    byPassword: true,
    summary: "Starts a sign-in by passkey",
    notes:
      "The answer has the options for `navigator.credentials.get()`. Its challenge can be answered once, within 5 minutes.",
    who: "no-account",
    rate: rates.passkeySignIn,
    answer: requestOptionsAnswer,
    handle: async (deps, { authentication: { csrfSecret } }) => ({
      // They name no user, because the user chooses one of their passkeys.
      options: await askForAnswer(deps, { purpose: "sign-in", askedBy: csrfSecret }),
    }),
  }),
  signInByPasskey: endpoint({
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
    handle: async (deps, { request, context, body, authentication }) => {
      const browser = browserOf(deps.env, authentication, request);
      const asked = { ...body.user, ...browser, ...askedBy(authentication, body.user) };
      const signedIn = await signInByPasskey(deps, asked);
      await signOut(deps, authentication.signInId);
      return { user: presentViewer(await attachSignIn(deps.env, context, signedIn)) };
    },
  }),
  listPasskeys: endpoint({
    route: "GET /api/v1/users/me/passkeys",
    summary: "Lists the user's own passkeys",
    who: "account",
    token: "none",
    answer: passkeysAnswer,
    handle: (deps, { viewer, authentication }) => listPasskeys(deps, signedIn(viewer, authentication)),
  }),
  askForPasskey: endpoint({
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
    handle: async (deps, { viewer, authentication, body }) => ({
      options: await askForPasskey(deps, { ...signedIn(viewer, authentication), ...body.passkey }),
    }),
  }),
  addPasskey: endpoint({
    route: "POST /api/v1/users/me/passkeys",
    byPassword: true,
    summary: "Adds a passkey",
    who: "account",
    rate: rates.changeAccount,
    body: { passkey: addPasskeyBody },
    answer: passkeyAnswer,
    creates: true,
    refusals: { passkey_refused: refused },
    handle: async (deps, { viewer, authentication, body, keyed }) => ({
      passkey: await addPasskey(deps, { ...signedIn(viewer, authentication), ...body.passkey }, keyed),
    }),
  }),
  askToConfirmByPasskey: endpoint({
    route: "POST /api/v1/users/me/passkeys/confirmation",
    summary: "Starts confirming a change by passkey",
    notes:
      "The answer has the options for `navigator.credentials.get()`. Its challenge can be answered once, within 5 minutes, by the request that a password would confirm.",
    who: "account",
    rate: rates.changeAccount,
    answer: confirmOptionsAnswer,
    handle: async (deps, { viewer, authentication }) => ({
      options: await askToConfirm(deps, signedIn(viewer, authentication)),
    }),
  }),
  renamePasskey: endpoint({
    route: "PATCH /api/v1/users/me/passkeys/:id",
    summary: "Renames a passkey",
    who: "account",
    body: { passkey: renamePasskeyBody },
    answer: passkeyAnswer,
    handle: async (deps, { viewer, params, body }) => ({
      passkey: await renamePasskey(deps, { userId: viewer.id, id: params.id, ...body.passkey }),
    }),
  }),
  removePasskey: endpoint({
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
    handle: (deps, { viewer, authentication, params, body }) =>
      removePasskey(deps, { ...signedIn(viewer, authentication), id: params.id, ...body.passkey }),
  }),
};

/** Who has asked for the challenge, and the guest to merge. */
function askedBy({ csrfSecret, viewer }: Authentication, form: { mergeGuest: boolean }) {
  return { csrfSecret, guestId: guestToMerge(viewer, form) };
}
