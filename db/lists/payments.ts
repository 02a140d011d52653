export const paymentStates = ["pending", "succeeded", "failed", "refunded"] as const;
export type PaymentState = (typeof paymentStates)[number];
export const depositedStates = ["succeeded", "refunded"] as const;

export const chargebackCauses = ["refund", "dispute"] as const;
export type ChargebackCause = (typeof chargebackCauses)[number];

export const chargebackStates = ["asked", "taken", "refused", "returned"] as const;
/** The states in which a chargeback may have moved money. */
export const bookedChargebackStates = ["taken", "returned"] as const;

/** Why a provider's message was refused. */
export const flagCodes = ["unknown_payment", "not_paid_yet", "wrong_amount"] as const;
export type FlagCode = (typeof flagCodes)[number];
