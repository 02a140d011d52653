import { invalid } from "#src/base/refusal.ts";
import { IDEMPOTENCY_KEY_LENGTH_MAX } from "./contract.ts";

const HEADER = "idempotency-key";

/**
 * The Idempotency-Key of a request. Without the header it gets one of its own: sending it again then does it again.
 * @throws Refusal 422 for a key that is too long.
 */
export function readIdempotencyKey(headers: Headers): string {
  const key = headers.get(HEADER)?.trim() || crypto.randomUUID();
  if (key.length <= IDEMPOTENCY_KEY_LENGTH_MAX) return key;
  throw invalid({ idempotencyKey: [`is too long (maximum is ${IDEMPOTENCY_KEY_LENGTH_MAX} characters)`] });
}

/** The header that tells whether something was only told again. */
export const REPLAYED_HEADER = "idempotent-replayed";
