import type { ActionFunctionArgs } from "react-router";
import { apiContext } from "#client/base/page/context.ts";
import { sessionPath } from "#client/sessions/load-session.ts";
import { seeOther } from "#client/ui/forms/answer-form.ts";
import { readForm } from "#client/ui/forms/read-form.ts";
import { refuseForm } from "#client/ui/forms/refused-in-form.ts";
import type { Refused } from "#client/ui/forms/refused.ts";

/** What the form does, by its field `intent`. */
export type ReminderIntent = "set" | "remove";

/** Sets the viewer's reminder or takes it back, and shows the page again. */
export async function changeReminder({ context, params, request }: ActionFunctionArgs) {
  const { intent } = readForm(await request.formData(), { intent: "text" });
  const path = `${sessionPath(params["slug"])}/reminder` as const;
  const api = context.get(apiContext);
  try {
    if (intent === ("remove" satisfies ReminderIntent)) await api.delete(path);
    else await api.put(path);
  } catch (error) {
    return refuseForm<Refused>(error, {});
  }
  return seeOther(new URL(request.url).pathname);
}
