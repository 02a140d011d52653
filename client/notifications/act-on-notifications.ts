import { type ActionFunctionArgs, redirect } from "react-router";
import { apiContext, pageContext } from "../context.ts";
import { numberIn, textIn } from "../form-fields.ts";
import { safeReturnPath } from "../guard.ts";

const SEE_OTHER = 303;

/** The sheet's form as it is sent without script: all of them seen, or cleared away. Then the page again. */
export async function actOnNotifications({ context, request }: ActionFunctionArgs): Promise<Response> {
  const { viewer } = context.get(pageContext);
  const form = await request.formData();
  const path = `/api/v1/users/${viewer?.id ?? 0}/notifications` as const;
  const api = context.get(apiContext);
  if (textIn(form, "intent") === "clear") await api.delete(path);
  else await api.put(`${path}/read`, { notifications: { upToId: numberIn(form, "up_to_id") } });
  return redirect(safeReturnPath(textIn(form, "return_to")), SEE_OTHER);
}
