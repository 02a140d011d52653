import type { Deps } from "#src/base/deps.ts";
import type { Authentication } from "#src/people/sign-ins/authenticate.ts";
import { signOut } from "#src/people/sign-ins/end-sign-ins.ts";
import { guestToMerge } from "#src/people/sign-ins/merge-guest.ts";
import { serveEndpoints } from "#src/people/sign-ins/serve-endpoints.ts";
import { attachSignIn, browserOf } from "#src/people/sign-ins/start-sign-in.ts";
import { presentViewer } from "#src/people/sign-ins/viewer.ts";
import { askToConfirm } from "./check-own-passkey.ts";
import { passkeysEndpoints } from "./endpoints.ts";
import { addPasskey, askForPasskey, removePasskey, renamePasskey } from "./manage-passkeys.ts";
import { signInByPasskey } from "./sign-in-by-passkey.ts";
import { listPasskeys, signedIn } from "./signed-in.ts";
import { askForAnswer } from "./verify-passkey.ts";

export function passkeysRoutes(deps: Deps) {
  return serveEndpoints(passkeysEndpoints, {
    askForPasskeySignIn: async ({ authentication: { csrfSecret } }) => ({
      // They name no user, because the user chooses one of their passkeys.
      options: await askForAnswer(deps, { purpose: "sign-in", askedBy: csrfSecret }),
    }),
    signInByPasskey: async ({ request, context, body, authentication }) => {
      const browser = browserOf(deps.env, authentication, request);
      const asked = { ...body.user, ...browser, ...askedBy(authentication, body.user) };
      const signedIn = await signInByPasskey(deps, asked);
      await signOut(deps, authentication.signInId);
      return { user: presentViewer(await attachSignIn(deps.env, context, signedIn)) };
    },
    listPasskeys: ({ viewer, authentication }) => listPasskeys(deps, signedIn(viewer, authentication)),
    askForPasskey: async ({ viewer, authentication, body }) => ({
      options: await askForPasskey(deps, { ...signedIn(viewer, authentication), ...body.passkey }),
    }),
    addPasskey: async ({ viewer, authentication, body, keyed }) => ({
      passkey: await addPasskey(deps, { ...signedIn(viewer, authentication), ...body.passkey }, keyed),
    }),
    askToConfirmByPasskey: async ({ viewer, authentication }) => ({
      options: await askToConfirm(deps, signedIn(viewer, authentication)),
    }),
    renamePasskey: async ({ viewer, params, body }) => ({
      passkey: await renamePasskey(deps, { userId: viewer.id, id: params.id, ...body.passkey }),
    }),
    removePasskey: ({ viewer, authentication, params, body }) =>
      removePasskey(deps, { ...signedIn(viewer, authentication), id: params.id, ...body.passkey }),
  });
}

/** Who has asked for the challenge, and the guest to merge. */
function askedBy({ csrfSecret, viewer }: Authentication, form: { mergeGuest: boolean }) {
  return { csrfSecret, guestId: guestToMerge(viewer, form) };
}
