import { type ActionFunctionArgs, redirect, redirectDocument } from "react-router";
import { type Api, ApiError } from "../api.ts";
import { apiContext } from "../context.ts";
import { safeReturnPath } from "../guard.ts";

const ALREADY_SIGNED_IN = 409;
/** The action screens, the only ones of the game that guests may open. */
const actionPath = /^\/sessions\/[^/]+$/;

/** Makes a guest of whoever taps, and goes on to the action: where the tap was, else to the live session. */
export async function playAsGuest({ context, request }: ActionFunctionArgs): Promise<Response> {
  const api = context.get(apiContext);
  const wanted = safeReturnPath(new URL(request.url).searchParams.get("return_to"));
  try {
    await api.post("/users/guest");
  } catch (error) {
    // In another tab somebody has signed in meanwhile.
    if (error instanceof ApiError && error.status === ALREADY_SIGNED_IN) return redirect(wanted);
    throw error;
  }
  // A whole new page: the token, the viewer and everything loaded belong to somebody else now.
  return redirectDocument(actionPath.test(wanted) ? wanted : await findAction(api));
}

/** The live session's action screen; where none is live, the page that says what guests are missing. */
async function findAction(api: Api): Promise<string> {
  const { sessions } = await api.get("/api/v1/sessions", { query: { active: true } });
  const [active] = sessions;
  return active === undefined ? "/guest" : `/sessions/${active.slug}`;
}
