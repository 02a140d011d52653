import { PAYMENT_MAX_CENTS } from "#db/lists/limits.ts";

export const PAYMENT_MIN = 1;
export const PAYMENT_MAX = PAYMENT_MAX_CENTS / 100;

export const WEBHOOKS_PATH = "/api/v1/payments/webhooks";
