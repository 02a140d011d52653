import type { ActionArgs } from "#client/base/page/handle.ts";
import { fieldsIn, type SessionFields, sessionIn } from "#client/sessions/session-fields.ts";
import { seeOther } from "#client/ui/forms/answer-form.ts";
import { readForm } from "#client/ui/forms/read-form.ts";
import { refuseForm } from "#client/ui/forms/refused-in-form.ts";
import type { Refused } from "#client/ui/forms/refused.ts";

export type SessionRefused = Refused & { fields: SessionFields };

export async function createSession({ api, request }: ActionArgs) {
  const form = await request.formData();
  const { slug } = readForm(form, { slug: "optional" });
  try {
    const { session } = await api.post("/api/v1/sessions", { session: { ...sessionIn(form), slug } });
    return seeOther(`/sessions/${session.slug}/admin`);
  } catch (error) {
    return refuseForm<SessionRefused>(error, { fields: fieldsIn(form) });
  }
}
