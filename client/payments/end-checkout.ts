import { type ActionFunctionArgs, redirect } from "react-router";
import { apiContext } from "../context.ts";
import { textIn } from "../form-fields.ts";

const SEE_OTHER = 303;

/** Ends the test checkout as the player chose, and leads back to the wallet, which says what became of it. */
export async function endCheckout({ context, params, request }: ActionFunctionArgs) {
  const reference = encodeURIComponent(params["reference"] ?? "");
  const outcome = textIn(await request.formData(), "intent");
  await context.get(apiContext).post(`/api/v1/payments/${reference}/test`, { payment: { outcome } });
  return redirect(`/profile/wallet?payment=${reference}`, SEE_OTHER);
}
