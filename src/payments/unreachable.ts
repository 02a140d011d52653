import { Refusal } from "#src/base/refusal.ts";

const RETRY_AFTER_S = 30;

/** 503: the provider did not answer, or is in trouble. `detail` says what that means for whoever asked. */
export function unreachable(cause: unknown, detail: string): Refusal {
  const refusal = new Refusal(503, "payments_unavailable", "Payments cannot be taken right now.", {
    detail,
    retryAfterSeconds: RETRY_AFTER_S,
  });
  refusal.cause = cause;
  return refusal;
}
