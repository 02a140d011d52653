import * as v from "valibot";
import { chargebackCauses, chargebackStates, flagCodes, paymentStates } from "#db/lists/payments.ts";
import { REASON_LENGTH_MAX } from "#src/http/contract.ts";
import { amountField, inWholeCents, listMeta, moment, money, rowId, textLine } from "#src/http/schemas.ts";
import { PAYMENT_MAX, PAYMENT_MIN } from "./contract.ts";

export const createPaymentBody = v.strictObject({
  amount: v.pipe(v.number("is not a number"), v.minValue(PAYMENT_MIN), v.maxValue(PAYMENT_MAX), inWholeCents),
  currency: v.optional(v.picklist(["USD"], "is invalid"), "USD"),
  /** True confirms the age that the site asks for, once. */
  ofAge: v.optional(v.boolean(), false),
});

/** Money that was taken back from a payment, or will be. */
export const chargebackSchema = v.object({
  id: rowId,
  /** A refund, or a dispute with the player's bank. */
  cause: v.picklist(chargebackCauses),
  /** `asked` until the provider answers, then `taken` or `refused`; `returned` if the refund failed or the dispute was won. */
  state: v.picklist(chargebackStates),
  ...money("amount"),
  /** The reason that the refunding admin gave; null for a chargeback that the provider started. */
  reason: v.nullable(v.string()),
  createdAt: moment,
});
export type ChargebackView = v.InferOutput<typeof chargebackSchema>;

export const paymentSchema = v.object({
  id: rowId,
  /** Identifies the payment in the provider's messages. */
  reference: v.string(),
  state: v.picklist(paymentStates),
  ...money("amount"),
  /** The sum of the `taken` chargebacks; never more than the amount. */
  ...money("refunded"),
  /** Oldest first. */
  chargebacks: v.array(chargebackSchema),
  currency: v.picklist(["USD"]),
  /** Who takes it: "stripe", or "test", which pays in for a click. */
  provider: v.string(),
  /** The address to pay at; null where the provider could not be reached. */
  checkoutUrl: v.nullable(v.string()),
  createdAt: moment,
});
export type PaymentView = v.InferOutput<typeof paymentSchema>;
export const paymentAnswer = v.object({ payment: paymentSchema });
export type PaymentAnswer = v.InferOutput<typeof paymentAnswer>;
export const paymentsAnswer = v.object({ payments: v.array(paymentSchema), meta: listMeta });
export type PaymentsAnswer = v.InferOutput<typeof paymentsAnswer>;

export const refundBody = v.strictObject({
  /** Dollars; at most what is left of the payment. */
  amount: amountField(PAYMENT_MAX),
  /** Shown to the player. */
  reason: textLine(REASON_LENGTH_MAX),
});

/** A provider's message that was refused, for an admin to look at. */
export const paymentFlagSchema = v.object({
  id: rowId,
  provider: v.string(),
  messageId: v.string(),
  reference: v.string(),
  /** The player of the payment; null for an unknown payment. */
  userId: v.nullable(rowId),
  code: v.picklist(flagCodes),
  detail: v.string(),
  /** How often the provider has sent the message. */
  timesSeen: v.number(),
  createdAt: moment,
  seenAt: moment,
  closedAt: v.nullable(moment),
  note: v.nullable(v.string()),
});
export type PaymentFlagView = v.InferOutput<typeof paymentFlagSchema>;
export const paymentFlagAnswer = v.object({ paymentFlag: paymentFlagSchema });

export const closeFlagBody = v.strictObject({ note: textLine(REASON_LENGTH_MAX) });

export const testOutcomeBody = v.strictObject({ outcome: v.picklist(["succeeded", "failed"], "is invalid") });

/** Confirms to the provider that its message was received. */
export const webhookAnswer = v.object({ received: v.boolean() });
