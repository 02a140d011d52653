import { type ActionFunctionArgs, redirectDocument } from "react-router";
import { ApiError } from "../base/api/api.ts";
import { forgetPage } from "../base/browser/page-cache.ts";
import { endOwnSignIn } from "../base/live/sign-in-visit.ts";
import { apiContext } from "../base/page/context.ts";
import { endSubscription } from "../install/end-subscription.ts";

/** Ends the sign-in. One that has ended already is no error. */
export async function signOut({ context }: ActionFunctionArgs): Promise<Response> {
  const api = context.get(apiContext);
  try {
    await endOwnSignIn(() => api.delete("/users/sign_out"));
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 401) throw error;
  }
  if (!api.inProcess) await leaveDevice();
  return redirectDocument("/users/sign_in");
}

/** What a browser has kept of its user goes with the sign-in. */
export async function leaveDevice(): Promise<void> {
  forgetPage();
  await endSubscription();
}
