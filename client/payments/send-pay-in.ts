import { formAction, type RefusedForm } from "#client/ui/forms/form-action.ts";
import { PAYMENT_MAX, PAYMENT_MIN } from "#src/money/payments/contract.ts";
import type { PaymentView } from "#src/money/payments/schemas.ts";
import { setFirstLimit } from "../spending/first-deposit.tsx";
import { typedDollars } from "../ui/money/typed-dollars.ts";

const fields = { amount: "text", key: "text", limit: "text", ofAge: "checkbox" } as const;

export type PayInRefusal = RefusedForm<typeof fields>;

/** Starts a payment and goes to its checkout, after the first one's limit was set. A refusal is shown in the form. */
export const payIn = formAction(fields, async ({ key, limit, ofAge, ...typed }, { api, form }) => {
  const amount = typedDollars(typed.amount, { min: PAYMENT_MIN, max: PAYMENT_MAX });
  await setFirstLimit(api, form.has("limit") ? limit : null);
  const order = { payment: { amount, ...(ofAge ? { ofAge } : {}) } };
  const { payment } = await api.post("/api/v1/payments", order, { headers: { "idempotency-key": key } });
  return checkoutOf(payment);
});

/** The address of a payment's checkout. The test provider's is our own page, on the host name that the visitor uses. */
export function checkoutOf({ provider, reference, checkoutUrl }: PaymentView): string {
  return provider === "test" || checkoutUrl === null ? `/checkout/${reference}` : checkoutUrl;
}
