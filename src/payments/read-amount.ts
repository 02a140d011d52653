import { invalid } from "#src/base/refusal.ts";
import { centsOf } from "#src/http/money.ts";
import type { CreatePaymentBody } from "./schemas.ts";

/**
 * The cents that a player's body asks to pay in.
 * @throws Refusal 422 for what is no amount of money.
 */
export function readAmountCents({ amount }: CreatePaymentBody): number {
  const amountCents = centsOf(amount);
  if (amountCents === null) throw invalid({ amount: ["is invalid"] });
  return amountCents;
}
