import type { chargebacks } from "#db/schema/payments.ts";
import { dollarsOf } from "#src/http/money.ts";
import type { PaymentRow } from "./create-payment.ts";
import type { ChargebackView, PaymentView } from "./schemas.ts";

export type ChargebackRow = typeof chargebacks.$inferSelect;

/** A payment as the API returns it. */
export function presentPayment(payment: PaymentRow, chargebackRows: readonly ChargebackRow[]): PaymentView {
  const { id, reference, state, amountCents, refundedCents, provider, checkoutUrl, createdAt } = payment;
  return {
    id,
    reference,
    state,
    amount: dollarsOf(amountCents),
    amountCents,
    refunded: dollarsOf(refundedCents),
    refundedCents,
    chargebacks: chargebackRows.map(presentChargeback),
    currency: "USD",
    provider,
    checkoutUrl,
    createdAt: createdAt.toISOString(),
  };
}

function presentChargeback(row: ChargebackRow): ChargebackView {
  const { id, cause, state, amountCents, reason, createdAt } = row;
  return {
    id,
    cause,
    state,
    amount: dollarsOf(amountCents),
    amountCents,
    reason,
    createdAt: createdAt.toISOString(),
  };
}
