import { ApiError } from "#client/base/api/api.ts";
import { Unreachable } from "#client/base/api/request-with-retry.ts";

const ATTEMPTS_MAX = 8;
/** Against an overloaded server fewer attempts are made: waiting much longer does not help the player. */
const BUSY_ATTEMPTS_MAX = 4;
const RETRY_MS = 750;
const REQUEST_TIMEOUT_MS = 5_000;
const SECOND_MS = 1_000;
const INVALID = 422;

/**
 * Sends a request, and sends it again until there is an answer. It must count once however often it arrives.
 * @throws ApiError with the server's refusal, also if the server was overloaded on each attempt. Unreachable if it is unknown
 *   whether an attempt has arrived: after eight attempts without an answer, and after a refusal that says nothing about the
 *   attempts before it, such as "signed out".
 */
export async function untilAnswered<Answer>(ask: (signal: AbortSignal) => Promise<Answer>): Promise<Answer> {
  let isUntried = true;
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await ask(AbortSignal.timeout(REQUEST_TIMEOUT_MS));
    } catch (error) {
      // What judges the request knows the attempts before it. What refuses it before that does not.
      if (isAnswer(error) && (isUntried || error.status === INVALID)) throw error;
      // An attempt without an answer may have arrived. From then on "too many calls" does not prove that nothing was done.
      isUntried &&= isBusy(error);
      if (isUntried && attempt === BUSY_ATTEMPTS_MAX) throw error;
      if (isAnswer(error) || attempt === ATTEMPTS_MAX) throw new Unreachable("No answer.", { cause: error });
      await new Promise((resolve) => setTimeout(resolve, retryDelayMs(error)));
    }
  }
}

/** A refusal (4xx) is an answer; a 5xx is not. */
export function isAnswer(error: unknown): error is ApiError {
  return error instanceof ApiError && error.status < 500;
}

/** The request was refused before anything was tried. */
function isBusy(error: unknown): error is ApiError {
  return error instanceof ApiError && error.body?.code === "too_many_calls";
}

/** The wait that an overloaded server asks for, plus jitter. */
function retryDelayMs(error: unknown): number {
  if (!isBusy(error)) return RETRY_MS;
  return error.retryAfterS * SECOND_MS + Math.random() * RETRY_MS;
}
