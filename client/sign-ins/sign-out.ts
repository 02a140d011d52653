import { redirectDocument } from "react-router";
import type { ActionArgs } from "#client/base/page/handle.ts";
import { OIDC_SIGN_OUT_PATH } from "#src/people/oidc/contract.ts";
import { ApiError } from "../base/api/api.ts";
import { forgetPage } from "../base/live/page-cache.ts";
import { endOwnSignIn } from "../base/live/sign-in-visit.ts";
import { pageContext } from "../base/page/context.ts";

/** Ends the sign-in. One that has ended already is no error. */
export async function signOut({ api, context }: ActionArgs): Promise<Response> {
  try {
    await endOwnSignIn(() => api.delete("/users/sign_out"));
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 401) throw error;
  }
  if (!api.inProcess) await leaveDevice();
  return redirectDocument(
    context.get(pageContext).oidc === undefined ? "/users/sign_in" : OIDC_SIGN_OUT_PATH,
  );
}

/** What a browser has kept of its user goes with the sign-in. */
export async function leaveDevice(): Promise<void> {
  forgetPage();
  await endSubscription();
}

/** Ends the messages to this device, as the server has done with the sign-in. Its code is not part of the pages that sign out. */
async function endSubscription(): Promise<void> {
  try {
    await (await import("../install/late-install.tsx")).unsubscribe();
  } catch {
    // The server sends nothing more in any case.
  }
}
