import { type ActionFunctionArgs, data, redirect } from "react-router";
import { apiContext } from "../context.ts";
import { textIn } from "../form-fields.ts";
import { refusedInForm } from "../refused.ts";
import type { SessionRefused } from "./create-session.ts";
import { sessionPath } from "./load-session.ts";
import { fieldsIn, sessionIn } from "./session-fields.ts";

const SEE_OTHER = 303;

/** Saves the session as the form has it, or deletes it: the form's `intent` says which. */
export async function changeSession({ context, params, request }: ActionFunctionArgs) {
  const form = await request.formData();
  const api = context.get(apiContext);
  const path = sessionPath(params["id"]);
  const deleting = textIn(form, "intent") === "delete";
  try {
    if (deleting) {
      await api.delete(path);
      return redirect("/sessions", SEE_OTHER);
    }
    const { session } = await api.patch(path, { session: sessionIn(form) });
    return redirect(`/sessions/${session.slug}/admin`, SEE_OTHER);
  } catch (error) {
    const { status, ...refused } = refusedInForm(error);
    // The question that deletes holds none of the fields.
    const fields = deleting ? {} : { fields: fieldsIn(form) };
    return data<Partial<SessionRefused>>({ ...refused, ...fields }, { status });
  }
}
