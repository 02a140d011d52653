import { invalid } from "#src/base/refusal.ts";
import { centsOf } from "#src/http/money.ts";
import type { Refund } from "./refund-payment.ts";
import type { RefundBody } from "./schemas.ts";

/**
 * What an admin's body asks to pay back.
 * @throws Refusal 422 for what is no amount of money.
 */
export function readRefund({ amount, reason }: RefundBody): Pick<Refund, "amountCents" | "reason"> {
  const amountCents = centsOf(amount);
  if (amountCents === null) throw invalid({ amount: ["is invalid"] });
  return { amountCents, reason };
}
