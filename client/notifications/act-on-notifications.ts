import type { ActionArgs } from "#client/base/page/handle.ts";
import { safeReturnPath } from "#src/people/sign-ins/contract.ts";
import { pageContext } from "../base/page/context.ts";
import { seeOther } from "../ui/forms/answer-form.ts";
import { readForm } from "../ui/forms/read-form.ts";

/** Handles the sheet's form without JavaScript: marks notifications as read or clears them, then shows the page again. */
export async function actOnNotifications({ api, context, request }: ActionArgs): Promise<Response> {
  const { viewer } = context.get(pageContext);
  const fields = { intent: "text", upToId: "number", returnTo: "text" } as const;
  const { intent, upToId, returnTo } = readForm(await request.formData(), fields);
  const path = `/api/v1/users/${viewer?.id ?? 0}/notifications` as const;
  if (intent === "clear") await api.delete(path);
  else await api.put(`${path}/read`, { notifications: { upToId } });
  return seeOther(safeReturnPath(returnTo));
}
