import type { ActionFunctionArgs } from "react-router";
import { seeOther } from "../answer-form.ts";
import { apiContext, pageContext } from "../context.ts";
import { safeReturnPath } from "../guard.ts";
import { readForm } from "../read-form.ts";

/** Handles the sheet's form as it is sent without script: marks notifications as read or clears them, then shows the page again. */
export async function actOnNotifications({ context, request }: ActionFunctionArgs): Promise<Response> {
  const { viewer } = context.get(pageContext);
  const fields = { intent: "text", upToId: "number", returnTo: "text" } as const;
  const { intent, upToId, returnTo } = readForm(await request.formData(), fields);
  const path = `/api/v1/users/${viewer?.id ?? 0}/notifications` as const;
  const api = context.get(apiContext);
  if (intent === "clear") await api.delete(path);
  else await api.put(`${path}/read`, { notifications: { upToId } });
  return seeOther(safeReturnPath(returnTo));
}
