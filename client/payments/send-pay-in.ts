import type { ActionFunctionArgs } from "react-router";
import { PAYMENT_MAX, PAYMENT_MIN } from "#src/money/payments/contract.ts";
import type { PaymentView } from "#src/money/payments/schemas.ts";
import { apiContext } from "../base/page/context.ts";
import { setFirstLimit } from "../spending/first-deposit.tsx";
import { seeOther } from "../ui/forms/answer-form.ts";
import { readForm } from "../ui/forms/read-form.ts";
import { refuseForm } from "../ui/forms/refused-in-form.ts";
import type { Refused } from "../ui/forms/refused.ts";
import { typedDollars } from "../ui/money/typed-dollars.ts";

export type PayInRefusal = Refused & { amount: string; limit: string; ofAge: boolean };

/** Starts a payment and goes to its checkout, after the first one's limit was set. A refusal is shown in the form. */
export async function payIn({ context, request }: ActionFunctionArgs) {
  const form = await request.formData();
  const fields = { amount: "text", key: "text", limit: "text", ofAge: "checkbox" } as const;
  const { amount: typed, key, limit, ofAge } = readForm(form, fields);
  const api = context.get(apiContext);
  try {
    const amount = typedDollars(typed, { min: PAYMENT_MIN, max: PAYMENT_MAX });
    await setFirstLimit(api, form.has("limit") ? limit : null);
    const order = { payment: { amount, ...(ofAge ? { ofAge } : {}) } };
    const { payment } = await api.post("/api/v1/payments", order, { headers: { "idempotency-key": key } });
    return seeOther(checkoutOf(payment));
  } catch (error) {
    return refuseForm<PayInRefusal>(error, { amount: typed, limit, ofAge });
  }
}

/** The address of a payment's checkout. The test provider's is our own page, on the host name that the visitor uses. */
export function checkoutOf({ provider, reference, checkoutUrl }: PaymentView): string {
  return provider === "test" || checkoutUrl === null ? `/checkout/${reference}` : checkoutUrl;
}
