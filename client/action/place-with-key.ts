import type { CallAnswer } from "#src/calls/contract.ts";
import { type Api, ApiError } from "../api.ts";
import { Unreachable } from "../reach.ts";

const TRIES_MAX = 8;
const TRY_AGAIN_MS = 750;
const ANSWER_WITHIN_MS = 5_000;
const CENTS = 100;

type Placement = { key: string; spotId: number; wagerCents: number };

/**
 * Sends a call until there is an answer, always under the same Idempotency-Key, so that it counts once however often it
 * arrives.
 * @throws ApiError with the server's refusal; Unreachable after eight tries without an answer.
 */
export async function placeWithKey(api: Api, { key, spotId, wagerCents }: Placement): Promise<CallAnswer> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await api.post<CallAnswer>(
        "/api/v1/calls",
        { call: { spotId, wager: wagerCents / CENTS } },
        { headers: { "idempotency-key": key }, signal: AbortSignal.timeout(ANSWER_WITHIN_MS) },
      );
    } catch (error) {
      if (isAnswer(error)) throw error;
      if (tries === TRIES_MAX) throw new Unreachable("No answer.", { cause: error });
      await new Promise((resolve) => setTimeout(resolve, TRY_AGAIN_MS));
    }
  }
}

/** A refusal is an answer; a server that is away for a moment is not. */
function isAnswer(error: unknown): boolean {
  return error instanceof ApiError && error.status < 500;
}
