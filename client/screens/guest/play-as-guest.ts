import { type ActionFunctionArgs, redirect, redirectDocument } from "react-router";
import { type Api, ApiError } from "#client/base/api/api.ts";
import { apiContext } from "#client/base/page/context.ts";
import { safeReturnPath } from "#client/base/page/guard.ts";

const ALREADY_SIGNED_IN = 409;
/** The path of an Action screen, the only screen of a session that guests may open. */
const actionPath = /^\/sessions\/[^/]+$/;

/** Signs the visitor in as a guest and opens an Action screen: that of `return_to`, else that of the live session. */
export async function playAsGuest({ context, request }: ActionFunctionArgs): Promise<Response> {
  const api = context.get(apiContext);
  const returnPath = safeReturnPath(new URL(request.url).searchParams.get("return_to"));
  try {
    await api.post("/users/guest");
  } catch (error) {
    // The visitor has signed in in another tab.
    if (error instanceof ApiError && error.status === ALREADY_SIGNED_IN) return redirect(returnPath);
    throw error;
  }
  // A new document: the token, the viewer and all loaded data belong to another user now.
  return redirectDocument(actionPath.test(returnPath) ? returnPath : await findActionPath(api));
}

/** The live session's Action screen; without a live session, the page that invites guests to create an account. */
async function findActionPath(api: Api): Promise<string> {
  const { sessions } = await api.get("/api/v1/sessions", { query: { active: true } });
  const [active] = sessions;
  return active === undefined ? "/guest" : `/sessions/${active.slug}`;
}
