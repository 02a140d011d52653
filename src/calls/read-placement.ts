import { type FieldErrors, invalid } from "#src/base/refusal.ts";
import { centsOf } from "#src/http/money.ts";
import type { Placement } from "./place-call.ts";
import type { PlaceCallBody } from "./schemas.ts";

/**
 * What somebody's body asks for.
 * @throws Refusal 422 for a call in another's name, and a wager that is no amount of money.
 */
export function readPlacement({
  viewer,
  call,
  idempotencyKey,
}: Pick<Placement, "viewer" | "idempotencyKey"> & { call: PlaceCallBody }): Placement {
  const wagerCents = centsOf(call.wager);
  const errors = errorsOf(call, { viewer, wagerCents });
  if (wagerCents === null || Object.keys(errors).length > 0) throw invalid(errors);
  return { viewer, spotId: call.spotId, wagerCents, idempotencyKey };
}

function errorsOf(
  call: PlaceCallBody,
  { viewer, wagerCents }: Pick<Placement, "viewer"> & { wagerCents: number | null },
): FieldErrors {
  const errors: FieldErrors = {};
  if (call.userId !== undefined && call.userId !== viewer.id) errors["userId"] = ["is invalid"];
  if (call.wager <= 0) errors["wager"] = ["must be greater than 0"];
  else if (wagerCents === null) errors["wager"] = ["is invalid"];
  return errors;
}
