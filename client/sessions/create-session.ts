import type { ActionFunctionArgs } from "react-router";
import { seeOther } from "../answer-form.ts";
import { apiContext } from "../context.ts";
import { readForm } from "../read-form.ts";
import { refuseForm } from "../refused-in-form.ts";
import type { Refused } from "../refused.ts";
import { fieldsIn, type SessionFields, sessionIn } from "./session-fields.ts";

/** Why the form of a session was refused, and what was typed. */
export type SessionRefused = Refused & { fields: SessionFields };

/** Creates a session and redirects to its Admin tab. */
export async function createSession({ context, request }: ActionFunctionArgs) {
  const form = await request.formData();
  const { slug } = readForm(form, { slug: "optional" });
  try {
    const { session } = await context
      .get(apiContext)
      .post("/api/v1/sessions", { session: { ...sessionIn(form), slug } });
    return seeOther(`/sessions/${session.slug}/admin`);
  } catch (error) {
    return refuseForm<SessionRefused>(error, { fields: fieldsIn(form) });
  }
}
