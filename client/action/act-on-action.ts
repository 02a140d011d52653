import { type ActionFunctionArgs, data, redirect } from "react-router";
import { apiContext } from "../context.ts";
import { textIn } from "../form-fields.ts";
import { refusedBy } from "../refused.ts";

export type ActionRefusal = { refusal: string };

const SEE_OTHER = 303;

/** The forms of the Action screen as they are sent without script: place a call, or take one back. Then the page again. */
export async function actOnAction({ context, request }: ActionFunctionArgs) {
  const form = await request.formData();
  const api = context.get(apiContext);
  const cancelled = textIn(form, "cancel");
  try {
    if (cancelled === "") {
      const wager = textIn(form, "wager");
      await api.post(
        "/api/v1/calls",
        {
          call: { spotId: Number(textIn(form, "spot_id")), wager: wager === "" ? undefined : Number(wager) },
        },
        { headers: { "idempotency-key": textIn(form, "idempotency_key") } },
      );
    } else {
      await api.delete(`/api/v1/calls/${encodeURIComponent(cancelled)}`);
    }
  } catch (error) {
    const { status, refusal } = refusedBy(error);
    return data<ActionRefusal>({ refusal }, { status });
  }
  return redirect(new URL(request.url).pathname, SEE_OTHER);
}
