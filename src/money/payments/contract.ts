import { PAYMENT_MAX_CENTS } from "#db/lists/limits.ts";

/** Limits of one payment, in dollars. */
export const PAYMENT_MIN = 1;
export const PAYMENT_MAX = PAYMENT_MAX_CENTS / 100;

/** The path that providers send their messages to. */
export const WEBHOOKS_PATH = "/api/v1/payments/webhooks";
