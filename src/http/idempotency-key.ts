import { invalid } from "#src/base/refusal.ts";
import { IDEMPOTENCY_KEY_LENGTH_MAX } from "./contract.ts";

const HEADER = "idempotency-key";

/**
 * The Idempotency-Key of a request; null without the header.
 * @throws Refusal 422 for a key that is too long.
 */
export function readIdempotencyKey(headers: Headers): string | null {
  const key = headers.get(HEADER)?.trim() || null;
  if (key === null || key.length <= IDEMPOTENCY_KEY_LENGTH_MAX) return key;
  throw invalid({ idempotencyKey: [`is too long (maximum is ${IDEMPOTENCY_KEY_LENGTH_MAX} characters)`] });
}

/** The response header that says whether the answer was replayed from an earlier request. */
export const REPLAYED_HEADER = "idempotent-replayed";
