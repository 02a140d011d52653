import type { CallAnswer } from "#src/calls/schemas.ts";
import { type Api, ApiError } from "../api.ts";
import { Unreachable } from "../request-with-retry.ts";

const ATTEMPTS_MAX = 8;
/** Against an overloaded server fewer attempts are made: waiting much longer does not help the player. */
const BUSY_ATTEMPTS_MAX = 4;
const RETRY_MS = 750;
const REQUEST_TIMEOUT_MS = 5_000;
const CENTS = 100;
const SECOND_MS = 1_000;

type Placement = { key: string; spotId: number; wagerCents: number };

/**
 * Places a call, and retries until there is an answer. The Idempotency-Key stays the same, so that the call counts once
 * however often it arrives.
 * @throws ApiError with the server's refusal, also if the server was overloaded on each attempt; Unreachable after eight
 *   attempts without an answer.
 */
export async function placeWithKey(api: Api, { key, spotId, wagerCents }: Placement): Promise<CallAnswer> {
  let busy = true;
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await api.post(
        "/api/v1/calls",
        { call: { spotId, wager: wagerCents / CENTS } },
        { headers: { "idempotency-key": key }, signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS) },
      );
    } catch (error) {
      // An attempt without an answer may have arrived. From then on "too many calls" does not prove that nothing was placed.
      busy &&= isBusy(error);
      if (isAnswer(error) || (busy && attempt === BUSY_ATTEMPTS_MAX)) throw error;
      if (attempt === ATTEMPTS_MAX) throw new Unreachable("No answer.", { cause: error });
      await new Promise((resolve) => setTimeout(resolve, retryDelayMs(error)));
    }
  }
}

/** A refusal (4xx) is an answer; a 5xx is not. */
function isAnswer(error: unknown): boolean {
  return error instanceof ApiError && error.status < 500;
}

/** The call was refused before anything was tried. */
function isBusy(error: unknown): error is ApiError {
  return error instanceof ApiError && error.body?.code === "too_many_calls";
}

/** The wait that an overloaded server asks for, plus jitter. */
function retryDelayMs(error: unknown): number {
  if (!isBusy(error)) return RETRY_MS;
  return error.retryAfterS * SECOND_MS + Math.random() * RETRY_MS;
}
