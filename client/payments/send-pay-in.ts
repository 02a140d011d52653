import { type ActionFunctionArgs, data, redirect } from "react-router";
import { apiContext } from "../context.ts";
import { numberIn, textIn } from "../form-fields.ts";
import { refusedInForm } from "../refused-in-form.ts";
import type { Refused } from "../refused.ts";
import { checkoutOf } from "./checkout-of.ts";

export type PayInRefusal = Refused & { amount: string };

const SEE_OTHER = 303;

/** Begins a payment and leads to its checkout; a refusal is shown in the form. */
export async function payIn({ context, request }: ActionFunctionArgs) {
  const form = await request.formData();
  try {
    const { payment } = await context
      .get(apiContext)
      .post(
        "/api/v1/payments",
        { payment: { amount: numberIn(form, "amount") } },
        { headers: { "idempotency-key": textIn(form, "key") } },
      );
    return redirect(checkoutOf(payment), SEE_OTHER);
  } catch (error) {
    const { status, ...refused } = refusedInForm(error);
    return data<PayInRefusal>({ ...refused, amount: textIn(form, "amount") }, { status });
  }
}
