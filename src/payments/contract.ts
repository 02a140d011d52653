/** Limits of one payment, in dollars. */
export const PAYMENT_MIN = 1;
export const PAYMENT_MAX = 500;

export const paymentStates = ["pending", "succeeded", "failed", "refunded"] as const;
export type PaymentState = (typeof paymentStates)[number];

export const chargebackCauses = ["refund", "dispute"] as const;
export const chargebackStates = ["asked", "taken", "refused", "returned"] as const;

export const REASON_LENGTH_MAX = 500;

/** Why a provider's message was refused: unknown payment, refund before deposit, amount that does not match. */
export const flagCodes = ["unknown_payment", "not_paid_yet", "wrong_amount"] as const;
export type FlagCode = (typeof flagCodes)[number];

/** The path that providers send their messages to. */
export const WEBHOOKS_PATH = "/api/v1/payments/webhooks";
