import type { ActionFunctionArgs } from "react-router";
import { PAYMENT_MAX, PAYMENT_MIN } from "#src/money/payments/contract.ts";
import type { PaymentView } from "#src/money/payments/schemas.ts";
import { apiContext } from "../base/page/context.ts";
import { seeOther } from "../ui/forms/answer-form.ts";
import { readForm } from "../ui/forms/read-form.ts";
import { refuseForm } from "../ui/forms/refused-in-form.ts";
import type { Refused } from "../ui/forms/refused.ts";
import { typedDollars } from "../ui/money/typed-dollars.ts";

export type PayInRefusal = Refused & { amount: string };

/** Starts a payment and goes to its checkout. A refusal is shown in the form. */
export async function payIn({ context, request }: ActionFunctionArgs) {
  const form = await request.formData();
  const { amount: typed, key } = readForm(form, { amount: "text", key: "text" });
  try {
    const amount = typedDollars(typed, { min: PAYMENT_MIN, max: PAYMENT_MAX });
    const { payment } = await context
      .get(apiContext)
      .post("/api/v1/payments", { payment: { amount } }, { headers: { "idempotency-key": key } });
    return seeOther(checkoutOf(payment));
  } catch (error) {
    return refuseForm<PayInRefusal>(error, { amount: typed });
  }
}

/** The address of a payment's checkout. The test provider's is our own page, on the host name that the visitor uses. */
export function checkoutOf({ provider, reference, checkoutUrl }: PaymentView): string {
  return provider === "test" || checkoutUrl === null ? `/checkout/${reference}` : checkoutUrl;
}
