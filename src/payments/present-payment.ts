import { dollarsOf } from "#src/http/money.ts";
import type { PaymentView } from "./contract.ts";
import type { PaymentRow } from "./create-payment.ts";

/** A payment as its owner reads it. */
export function presentPayment(payment: PaymentRow): PaymentView {
  const { id, reference, state, amountCents, provider, checkoutUrl, createdAt } = payment;
  return {
    id,
    reference,
    state,
    amount: dollarsOf(amountCents),
    amountCents,
    currency: "USD",
    provider: provider === "stripe" ? "stripe" : "test",
    checkoutUrl,
    createdAt: createdAt.toISOString(),
  };
}
