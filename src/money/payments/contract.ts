/** Limits of one payment, in dollars. */
export const PAYMENT_MIN = 1;
export const PAYMENT_MAX = 500;

/** The path that providers send their messages to. */
export const WEBHOOKS_PATH = "/api/v1/payments/webhooks";
