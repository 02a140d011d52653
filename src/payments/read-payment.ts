import { readIdempotencyKey } from "#src/http/idempotency-key.ts";
import { centsOf } from "#src/http/money.ts";
import { readBody } from "#src/http/read-body.ts";
import { invalid } from "#src/http/refusal.ts";
import { createPaymentBody } from "./contract.ts";
import type { NewPayment } from "./create-payment.ts";

/**
 * Reads `{payment: {amount, currency}}` and the Idempotency-Key header.
 * @throws Refusal 400 without the root key; 422 with every field that does not fit.
 */
export function readPayment(viewer: NewPayment["viewer"], body: unknown, headers: Headers): NewPayment {
  const { amount } = readBody(body, "payment", createPaymentBody);
  const amountCents = centsOf(amount);
  if (amountCents === null) throw invalid({ amount: ["is invalid"] });
  return { viewer, amountCents, idempotencyKey: readIdempotencyKey(headers) };
}
