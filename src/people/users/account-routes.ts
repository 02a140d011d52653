import type { Deps } from "#src/base/deps.ts";
import { detachSignIn } from "#src/people/sign-ins/attach-sign-in.ts";
import { readBrowserCookie } from "#src/people/sign-ins/browser-cookie.ts";
import { serveEndpoints } from "#src/people/sign-ins/serve-endpoints.ts";
import { askForEmailChange } from "./ask-for-email-change.ts";
import { changePassword } from "./change-password.ts";
import { deactivateOwnAccount } from "./deactivate-own-account.ts";
import { endOtherSignIns, endOwnSignIn } from "./end-own-sign-ins.ts";
import { accountEndpoints } from "./endpoints.ts";
import { findAccount } from "./find-account.ts";

/** The routes of the user's own account. */
export function accountRoutes(deps: Deps) {
  return serveEndpoints(deps, accountEndpoints, {
    showAccount: ({ viewer: { id: userId }, authentication: { signInId } }) =>
      findAccount(deps.pool.db, { userId, signInId }),
    changeEmail: async ({ viewer, authentication: { signInId }, body: { user: form } }) => ({
      message: await askForEmailChange(deps, { viewer, signInId, form }),
    }),
    changePassword: async ({ request, viewer, authentication: { signInId }, body: { user: form } }) => {
      const browserId = readBrowserCookie(deps.env, request);
      return { message: await changePassword(deps, { viewer, signInId, browserId, form }) };
    },
    deactivateOwnAccount: async ({ request, viewer, authentication: { signInId }, body }) => {
      await deactivateOwnAccount(deps, { viewer, signInId, ...body.user });
      detachSignIn(deps.env, request);
    },
    endOtherSignIns: ({ viewer: { id: userId }, authentication: { signInId } }) =>
      endOtherSignIns(deps, { userId, signInId }),
    endSignIn: ({ viewer: { id: userId }, params }) => endOwnSignIn(deps, { userId, signInId: params.id }),
  });
}
