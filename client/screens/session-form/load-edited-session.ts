import type { LoaderFunctionArgs } from "react-router";
import { apiContext } from "#client/base/page/context.ts";
import { type SessionData, sessionPath } from "#client/sessions/load-session.ts";
import type { SessionHostView } from "#src/show/session-hosts/schemas.ts";

export type EditedSession = SessionData & { hosts: readonly SessionHostView[] };

/** Loads the session to edit, and its hosts. */
export async function loadEditedSession({
  context,
  params,
  request,
}: LoaderFunctionArgs): Promise<EditedSession> {
  const api = context.get(apiContext);
  const path = sessionPath(params["id"]);
  const { signal } = request;
  const [{ session }, { sessionHosts }] = await Promise.all([
    api.get(path, { signal }),
    api.get(`${path}/session_hosts`, { signal }),
  ]);
  return { session, hosts: sessionHosts };
}
