import type { CallAnswer } from "#src/calls/schemas.ts";
import { type Api, ApiError } from "../api.ts";
import { Unreachable } from "../reach.ts";

const TRIES_MAX = 8;
/** Where the server has too much to do, waiting much longer helps nobody. */
const BUSY_TRIES_MAX = 4;
const TRY_AGAIN_MS = 750;
const ANSWER_WITHIN_MS = 5_000;
const CENTS = 100;
const SECOND_MS = 1_000;

type Placement = { key: string; spotId: number; wagerCents: number };

/**
 * Sends a call until there is an answer, always under the same Idempotency-Key, so that it counts once however often it
 * arrives.
 * @throws ApiError with the server's refusal, also where it has had too many calls each time; Unreachable after eight tries
 *   without an answer.
 */
export async function placeWithKey(api: Api, { key, spotId, wagerCents }: Placement): Promise<CallAnswer> {
  let busy = true;
  for (let tries = 1; ; tries += 1) {
    try {
      return await api.post(
        "/api/v1/calls",
        { call: { spotId, wager: wagerCents / CENTS } },
        { headers: { "idempotency-key": key }, signal: AbortSignal.timeout(ANSWER_WITHIN_MS) },
      );
    } catch (error) {
      // One of them without an answer may have arrived: then nobody knows whether the call stands.
      busy &&= isBusy(error);
      if (isAnswer(error) || (busy && tries === BUSY_TRIES_MAX)) throw error;
      if (tries === TRIES_MAX) throw new Unreachable("No answer.", { cause: error });
      await new Promise((resolve) => setTimeout(resolve, waitMs(error)));
    }
  }
}

/** A refusal is an answer; a server that is away for a moment is not. */
function isAnswer(error: unknown): boolean {
  return error instanceof ApiError && error.status < 500;
}

/** The call was turned away at the door: it was not even tried. */
function isBusy(error: unknown): error is ApiError {
  return error instanceof ApiError && error.body?.code === "too_many_calls";
}

/** As long as a busy server asks for, and a little more, so that not all come back at once. */
function waitMs(error: unknown): number {
  if (!isBusy(error)) return TRY_AGAIN_MS;
  const askedMs = Number(error.response.headers.get("retry-after") ?? 0) * SECOND_MS;
  return askedMs + Math.random() * TRY_AGAIN_MS;
}
