import { type ActionFunctionArgs, redirectDocument } from "react-router";
import { ApiError } from "../api.ts";
import { forgetPage } from "../browser/page-cache.ts";
import { apiContext } from "../context.ts";
import { endSubscription } from "../install/end-subscription.ts";
import { endOwnSignIn } from "../sign-in-visit.ts";

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
