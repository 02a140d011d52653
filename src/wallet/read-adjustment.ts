import { invalid } from "#src/base/refusal.ts";
import { centsOf } from "#src/http/money.ts";
import type { Adjustment } from "./adjust-wallet.ts";
import type { AdjustWalletBody } from "./schemas.ts";

/**
 * What an admin's body asks for.
 * @throws Refusal 422 for what is no amount of money.
 */
export function readAdjustment({
  amount,
  reason,
}: AdjustWalletBody): Pick<Adjustment, "amountCents" | "reason"> {
  const amountCents = centsOf(amount);
  if (amountCents === null) throw invalid({ amount: ["is invalid"] });
  return { amountCents, reason };
}
