import type { ActionFunctionArgs } from "react-router";
import { seeOther } from "../answer-form.ts";
import { apiContext } from "../context.ts";
import { readForm } from "../read-form.ts";
import { refuseForm } from "../refused-in-form.ts";
import type { Refused } from "../refused.ts";
import { sessionPath } from "./load-session.ts";

export type JoinRefused = Refused & { displayName: string };

/** Joins the session under the form's display name, and redirects to its Action screen. */
export async function joinSession({ context, params, request }: ActionFunctionArgs) {
  const { displayName } = readForm(await request.formData(), { displayName: "text" });
  const path = sessionPath(params["slug"]);
  try {
    await context.get(apiContext).post(`${path}/registrations`, { registration: { displayName } });
  } catch (error) {
    return refuseForm<JoinRefused>(error, { displayName });
  }
  return seeOther(path.replace("/api/v1", ""));
}
