import { type ActionFunctionArgs, data, redirect } from "react-router";
import type { Api } from "../api.ts";
import { apiContext } from "../context.ts";
import { numberIn, textIn } from "../form-fields.ts";
import { type Refused, refusedBy } from "../refused.ts";

/** What was refused, and of which form. */
export type UserRefusal = Refused & { intent: string; amount: string; reason: string };

const SEE_OTHER = 303;

/** The forms of a user's page: the one that was sent says by its `intent` what it is to do. Then the page again. */
export async function actOnUser({ context, params, request }: ActionFunctionArgs) {
  const form = await request.formData();
  const intent = textIn(form, "intent");
  try {
    await adjust(context.get(apiContext), { userId: params["id"] ?? "", form });
  } catch (error) {
    const { status, ...refused } = refusedBy(error);
    const refusal: UserRefusal = {
      ...refused,
      intent,
      amount: textIn(form, "amount"),
      reason: textIn(form, "reason"),
    };
    return data(refusal, { status });
  }
  return redirect(new URL(request.url).pathname, SEE_OTHER);
}

function adjust(api: Api, { userId, form }: { userId: string; form: FormData }): Promise<unknown> {
  return api.post(
    `/api/v1/users/${encodeURIComponent(userId)}/wallet/adjustments`,
    { adjustment: { amount: numberIn(form, "amount"), reason: textIn(form, "reason") } },
    { headers: { "idempotency-key": textIn(form, "key") } },
  );
}
