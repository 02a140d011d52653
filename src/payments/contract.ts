import * as v from "valibot";
import { cents, dollars, moment, rowId } from "#src/http/contract.ts";

/** Dollars of one payment. */
export const PAYMENT_MIN = 1;
export const PAYMENT_MAX = 500;

export const paymentStates = ["pending", "succeeded", "failed", "refunded"] as const;
export type PaymentState = (typeof paymentStates)[number];

/** Body of POST /api/v1/payments under `payment`. */
export const createPaymentBody = v.strictObject({
  amount: v.pipe(
    v.number("is not a number"),
    v.minValue(PAYMENT_MIN),
    v.maxValue(PAYMENT_MAX),
    v.check((amount) => Math.round(amount * 100) / 100 === amount),
  ),
  currency: v.optional(v.picklist(["USD"], "is invalid"), "USD"),
});

export const paymentShape = v.object({
  id: rowId,
  /** What a webhook names. */
  reference: v.string(),
  state: v.picklist(paymentStates),
  amount: dollars,
  amountCents: cents,
  currency: v.picklist(["USD"]),
  provider: v.picklist(["test", "stripe"]),
  /** Where the player pays; null where the provider could not be reached. */
  checkoutUrl: v.nullable(v.string()),
  createdAt: moment,
});
export type PaymentView = v.InferOutput<typeof paymentShape>;
export const paymentAnswer = v.object({ payment: paymentShape });
export type PaymentAnswer = v.InferOutput<typeof paymentAnswer>;

/** Body of POST /api/v1/payments/:reference/test under `payment`: how the test provider's checkout ends. */
export const testOutcomeBody = v.strictObject({ outcome: v.picklist(["succeeded", "failed"], "is invalid") });

/** Where providers send their messages. */
export const WEBHOOKS_PATH = "/api/v1/payments/webhooks";
