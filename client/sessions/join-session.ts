import { type ActionFunctionArgs, data, redirect } from "react-router";
import { apiContext } from "../context.ts";
import { textIn } from "../form-fields.ts";
import { refusedInForm } from "../refused-in-form.ts";
import type { Refused } from "../refused.ts";
import { sessionPath } from "./load-session.ts";

export type JoinRefused = Refused & { displayName: string };

const SEE_OTHER = 303;

/** Joins the session under the name that the form gives, and goes on to its action. */
export async function joinSession({ context, params, request }: ActionFunctionArgs) {
  const displayName = textIn(await request.formData(), "display_name");
  const path = sessionPath(params["slug"]);
  try {
    await context.get(apiContext).post(`${path}/registrations`, { registration: { displayName } });
  } catch (error) {
    const { status, ...refused } = refusedInForm(error);
    return data<JoinRefused>({ ...refused, displayName }, { status });
  }
  return redirect(path.replace("/api/v1", ""), SEE_OTHER);
}
