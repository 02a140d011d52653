import { type ActionFunctionArgs, data, redirect } from "react-router";
import { apiContext } from "../context.ts";
import { textIn } from "../form-fields.ts";
import { refusedInForm } from "../refused-in-form.ts";
import type { Refused } from "../refused.ts";

/** What was refused, with what was typed. */
export type AnnouncementRefusal = Refused & { title: string; body: string };

const SEE_OTHER = 303;

/** Tells everybody what the form says; whoever sends it hears it like all others. */
export async function announce({ context, request }: ActionFunctionArgs) {
  const form = await request.formData();
  const announcement = { title: textIn(form, "title"), body: textIn(form, "body") };
  try {
    await context
      .get(apiContext)
      .post(
        "/api/v1/announcements",
        { announcement },
        { headers: { "idempotency-key": textIn(form, "key") } },
      );
  } catch (error) {
    const { status, ...refused } = refusedInForm(error);
    return data<AnnouncementRefusal>({ ...refused, ...announcement }, { status });
  }
  const { pathname, search } = new URL(request.url);
  return redirect(pathname + search, SEE_OTHER);
}
