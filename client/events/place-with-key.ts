import { CENTS_PER_DOLLAR } from "#src/http/contract.ts";
import type { CallAnswer } from "#src/play/calls/schemas.ts";
import type { Api } from "../base/api/api.ts";
import { untilAnswered } from "./placing/until-answered.ts";

type Placement = { key: string; spotId: number; wagerCents: number; onTheHouse: boolean };

/**
 * Places a call, and retries until there is an answer. The Idempotency-Key stays the same, so that the call counts once
 * however often it arrives.
 * @throws as `untilAnswered` does.
 */
export function placeWithKey(
  api: Api,
  { key, spotId, wagerCents, onTheHouse }: Placement,
): Promise<CallAnswer> {
  return untilAnswered((signal) =>
    api.post(
      "/api/v1/calls",
      { call: { spotId, wager: wagerCents / CENTS_PER_DOLLAR, ...(onTheHouse ? { onTheHouse } : {}) } },
      { headers: { "idempotency-key": key }, signal },
    ),
  );
}
