import { type LoaderFunctionArgs, redirect } from "react-router";
import { ApiError } from "#client/base/api/api.ts";
import { apiContext } from "#client/base/page/context.ts";
import { sessionPath } from "#client/sessions/load-session.ts";
import type { ReminderView } from "#src/show/reminders/schemas.ts";

export type ReminderData = { reminder: ReminderView };

const NOT_FOUND = 404;

/** When the session starts, and how the viewer is reminded of it. A session that has started is opened instead. */
export async function loadReminder({ context, params, request }: LoaderFunctionArgs): Promise<ReminderData> {
  const path = sessionPath(params["slug"]);
  try {
    return await context.get(apiContext).get(`${path}/reminder`, { signal: request.signal });
  } catch (error) {
    if (error instanceof ApiError && error.status === NOT_FOUND) throw redirect(path.replace("/api/v1", ""));
    throw error;
  }
}
