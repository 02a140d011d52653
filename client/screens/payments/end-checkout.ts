import type { ActionFunctionArgs } from "react-router";
import { apiContext } from "#client/base/page/context.ts";
import { seeOther } from "#client/ui/forms/answer-form.ts";
import { readForm } from "#client/ui/forms/read-form.ts";

/** Ends the test checkout as the player chose and returns to the wallet, which shows the outcome. */
export async function endCheckout({ context, params, request }: ActionFunctionArgs) {
  const reference = encodeURIComponent(params["reference"] ?? "");
  const { intent: outcome } = readForm(await request.formData(), { intent: "text" });
  await context.get(apiContext).post(`/api/v1/payments/${reference}/test`, { payment: { outcome } });
  return seeOther(`/profile/wallet?payment=${reference}`);
}
