import * as v from "valibot";
import { amountField, cents, dollars, listMeta, moment, rowId, textLine } from "#src/http/schemas.ts";
import {
  chargebackCauses,
  chargebackStates,
  flagCodes,
  PAYMENT_MAX,
  PAYMENT_MIN,
  paymentStates,
  REASON_LENGTH_MAX,
} from "./contract.ts";

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

export type CreatePaymentBody = v.InferOutput<typeof createPaymentBody>;

/** What was taken back of a payment, or is to be. */
export const chargebackSchema = v.object({
  id: rowId,
  /** A refund, or a dispute with the player's bank. */
  cause: v.picklist(chargebackCauses),
  /** Asked for, until the provider answers; taken, or refused; returned: the refund failed, or the dispute was won. */
  state: v.picklist(chargebackStates),
  amount: dollars,
  amountCents: cents,
  /** As the admin says who asked for it; null where the provider began it. */
  reason: v.nullable(v.string()),
  createdAt: moment,
});
export type ChargebackView = v.InferOutput<typeof chargebackSchema>;

export const paymentSchema = v.object({
  id: rowId,
  /** What a webhook names. */
  reference: v.string(),
  state: v.picklist(paymentStates),
  amount: dollars,
  amountCents: cents,
  /** The sum of the chargebacks that are taken; never more than the amount. */
  refunded: dollars,
  refundedCents: cents,
  /** The newest last. */
  chargebacks: v.array(chargebackSchema),
  currency: v.picklist(["USD"]),
  provider: v.picklist(["test", "stripe"]),
  /** Where the player pays; null where the provider could not be reached. */
  checkoutUrl: v.nullable(v.string()),
  createdAt: moment,
});
export type PaymentView = v.InferOutput<typeof paymentSchema>;
export const paymentAnswer = v.object({ payment: paymentSchema });
export type PaymentAnswer = v.InferOutput<typeof paymentAnswer>;
export const paymentsAnswer = v.object({ payments: v.array(paymentSchema), meta: listMeta });
export type PaymentsAnswer = v.InferOutput<typeof paymentsAnswer>;

/** Body of POST /api/v1/payments/:reference/refunds under `refund`. */
export const refundBody = v.strictObject({
  /** Dollars; at most what is left of the payment. */
  amount: amountField(PAYMENT_MAX),
  /** The player reads it. */
  reason: textLine(REASON_LENGTH_MAX),
});
export type RefundBody = v.InferOutput<typeof refundBody>;

/** A provider's message that was refused, and that a person has to look at. */
export const paymentFlagSchema = v.object({
  id: rowId,
  provider: v.string(),
  messageId: v.string(),
  reference: v.string(),
  /** Whose payment it is about; null where it is about none of ours. */
  userId: v.nullable(rowId),
  code: v.picklist(flagCodes),
  detail: v.string(),
  /** How often the provider has tried. */
  timesSeen: v.number(),
  createdAt: moment,
  seenAt: moment,
  closedAt: v.nullable(moment),
  note: v.nullable(v.string()),
});
export type PaymentFlagView = v.InferOutput<typeof paymentFlagSchema>;
export const paymentFlagAnswer = v.object({ paymentFlag: paymentFlagSchema });

/** Body of PUT /api/v1/payment_flags/:id/close under `payment_flag`: what was done about it. */
export const closeFlagBody = v.strictObject({ note: textLine(REASON_LENGTH_MAX) });

/** Body of POST /api/v1/payments/:reference/test under `payment`: how the test provider's checkout ends. */
export const testOutcomeBody = v.strictObject({ outcome: v.picklist(["succeeded", "failed"], "is invalid") });

/** What a provider is told that its message was heard. */
export const webhookAnswer = v.object({ received: v.boolean() });
