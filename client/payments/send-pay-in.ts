import type { ActionFunctionArgs } from "react-router";
import type { PaymentView } from "#src/payments/schemas.ts";
import { seeOther } from "../answer-form.ts";
import { apiContext } from "../context.ts";
import { readForm } from "../read-form.ts";
import { refuseForm } from "../refused-in-form.ts";
import type { Refused } from "../refused.ts";

/** The refusal, and the typed amount. */
export type PayInRefusal = Refused & { amount: string };

/** Starts a payment and goes to its checkout. A refusal is shown in the form. */
export async function payIn({ context, request }: ActionFunctionArgs) {
  const form = await request.formData();
  const { amount, key } = readForm(form, { amount: "number", key: "text" });
  try {
    const { payment } = await context
      .get(apiContext)
      .post("/api/v1/payments", { payment: { amount } }, { headers: { "idempotency-key": key } });
    return seeOther(checkoutOf(payment));
  } catch (error) {
    return refuseForm<PayInRefusal>(error, readForm(form, { amount: "text" }));
  }
}

/** The address of a payment's checkout. The test provider's is our own page, on the host name that the visitor uses. */
export function checkoutOf({ provider, reference, checkoutUrl }: PaymentView): string {
  return provider === "test" || checkoutUrl === null ? `/checkout/${reference}` : checkoutUrl;
}
