import type { ActionFunctionArgs } from "react-router";
import { apiContext } from "#client/base/page/context.ts";
import { sessionPath } from "#client/sessions/load-session.ts";
import { seeOther } from "#client/ui/forms/answer-form.ts";
import { readForm } from "#client/ui/forms/read-form.ts";
import { refuseForm } from "#client/ui/forms/refused-in-form.ts";
import type { Refused } from "#client/ui/forms/refused.ts";

export type JoinRefused = Refused & { displayName: string };

/** Joins the session under the form's display name, and redirects to its Action screen. */
export async function joinSession({ context, params, request }: ActionFunctionArgs) {
  const { displayName, team } = readForm(await request.formData(), { displayName: "text", team: "number" });
  const path = sessionPath(params["slug"]);
  try {
    await context.get(apiContext).post(`${path}/registrations`, { registration: { displayName, team } });
  } catch (error) {
    return refuseForm<JoinRefused>(error, { displayName });
  }
  return seeOther(path.replace("/api/v1", ""));
}
