import { type ActionFunctionArgs, data, redirect } from "react-router";
import { apiContext } from "../context.ts";
import { textIn } from "../form-fields.ts";
import { refusedInForm } from "../refused-in-form.ts";
import type { Refused } from "../refused.ts";
import { fieldsIn, type SessionFields, sessionIn } from "./session-fields.ts";

/** Why the form of a session did not stand, and what it held. */
export type SessionRefused = Refused & { fields: SessionFields };

const SEE_OTHER = 303;

/** Makes the session that the form describes, and goes on to run it. */
export async function createSession({ context, request }: ActionFunctionArgs) {
  const form = await request.formData();
  const slug = textIn(form, "slug").trim();
  try {
    const { session } = await context.get(apiContext).post("/api/v1/sessions", {
      session: { ...sessionIn(form), slug: slug === "" ? undefined : slug },
    });
    return redirect(`/sessions/${session.slug}/admin`, SEE_OTHER);
  } catch (error) {
    const { status, ...refused } = refusedInForm(error);
    return data<SessionRefused>({ ...refused, fields: fieldsIn(form) }, { status });
  }
}
