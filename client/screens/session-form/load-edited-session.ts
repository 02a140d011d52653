import type { LoaderFunctionArgs } from "react-router";
import { apiContext } from "#client/base/page/context.ts";
import { type SessionData, sessionPath } from "#client/sessions/load-session.ts";

/** Loads the session to edit. */
export async function loadEditedSession({
  context,
  params,
  request,
}: LoaderFunctionArgs): Promise<SessionData> {
  return context.get(apiContext).get(sessionPath(params["id"]), { signal: request.signal });
}
