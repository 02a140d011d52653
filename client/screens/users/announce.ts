import type { ActionFunctionArgs } from "react-router";
import { apiContext } from "#client/base/page/context.ts";
import { seeOther } from "#client/ui/forms/answer-form.ts";
import { readForm } from "#client/ui/forms/read-form.ts";
import { refuseForm } from "#client/ui/forms/refused-in-form.ts";
import type { Refused } from "#client/ui/forms/refused.ts";

/** The refusal, and the typed values. */
export type AnnouncementRefusal = Refused & { title: string; body: string };

/** Sends the form's announcement to every user, the sender included. */
export async function announce({ context, request }: ActionFunctionArgs) {
  const fields = { title: "text", body: "text", key: "text" } as const;
  const { key, ...announcement } = readForm(await request.formData(), fields);
  try {
    await context
      .get(apiContext)
      .post("/api/v1/announcements", { announcement }, { headers: { "idempotency-key": key } });
  } catch (error) {
    return refuseForm<AnnouncementRefusal>(error, announcement);
  }
  const { pathname, search } = new URL(request.url);
  return seeOther(pathname + search);
}
