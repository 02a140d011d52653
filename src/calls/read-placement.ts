import type * as v from "valibot";
import { readIdempotencyKey } from "#src/http/idempotency-key.ts";
import { centsOf } from "#src/http/money.ts";
import { readBody } from "#src/http/read-body.ts";
import { type FieldErrors, invalid } from "#src/http/refusal.ts";
import { placeCallBody } from "./contract.ts";
import type { Placement } from "./place-call.ts";

/**
 * Reads `{call: {spot_id, user_id, wager}}` and the Idempotency-Key header. Without the header the call gets a key of its
 * own: sending it again then places another one.
 * @throws Refusal 400 without the root key; 422 with every field that does not fit.
 */
export function readPlacement(viewer: { id: number }, body: unknown, headers: Headers): Placement {
  const call = readBody(body, "call", placeCallBody);
  const wagerCents = centsOf(call.wager);
  const idempotencyKey = readIdempotencyKey(headers);
  const errors = errorsOf(call, { viewer, wagerCents });
  if (wagerCents === null || Object.keys(errors).length > 0) throw invalid(errors);
  return { viewer, spotId: call.spotId, wagerCents, idempotencyKey };
}

function errorsOf(
  call: v.InferOutput<typeof placeCallBody>,
  { viewer, wagerCents }: Pick<Placement, "viewer"> & { wagerCents: number | null },
): FieldErrors {
  const errors: FieldErrors = {};
  if (call.userId !== undefined && call.userId !== viewer.id) errors["userId"] = ["is invalid"];
  if (call.wager <= 0) errors["wager"] = ["must be greater than 0"];
  else if (wagerCents === null) errors["wager"] = ["is invalid"];
  return errors;
}
