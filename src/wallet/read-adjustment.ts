import { readIdempotencyKey } from "#src/http/idempotency-key.ts";
import { centsOf } from "#src/http/money.ts";
import { readBody } from "#src/http/read-body.ts";
import { invalid } from "#src/http/refusal.ts";
import type { Adjustment } from "./adjust-wallet.ts";
import { adjustWalletBody } from "./contract.ts";

/**
 * Reads `{adjustment: {amount, reason}}` and the Idempotency-Key header.
 * @throws Refusal 400 without the root key; 422 with every field that does not fit.
 */
export function readAdjustment(body: unknown, headers: Headers): Omit<Adjustment, "userId" | "actor"> {
  const { amount, reason } = readBody(body, "adjustment", adjustWalletBody);
  const amountCents = centsOf(amount);
  if (amountCents === null) throw invalid({ amount: ["is invalid"] });
  return { amountCents, reason, idempotencyKey: readIdempotencyKey(headers) };
}
