/** Dollars of one payment. */
export const PAYMENT_MIN = 1;
export const PAYMENT_MAX = 500;

export const paymentStates = ["pending", "succeeded", "failed", "refunded"] as const;
export type PaymentState = (typeof paymentStates)[number];

export const chargebackCauses = ["refund", "dispute"] as const;
export const chargebackStates = ["asked", "taken", "refused", "returned"] as const;

export const REASON_LENGTH_MAX = 500;

/** Why a provider's message was refused: no such payment, a refund before the deposit, or an amount that does not match. */
export const flagCodes = ["unknown_payment", "not_paid_yet", "wrong_amount"] as const;
export type FlagCode = (typeof flagCodes)[number];
/** Where providers send their messages. */
export const WEBHOOKS_PATH = "/api/v1/payments/webhooks";
