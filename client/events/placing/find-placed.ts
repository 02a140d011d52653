import type { Api } from "#client/base/api/api.ts";
import { Unreachable } from "#client/base/api/request-with-retry.ts";
import { isDismissed } from "#client/base/live/connection.ts";
import type { CallAnswer } from "#src/play/calls/schemas.ts";
import { isAnswer } from "./until-answered.ts";

const LOOK_EVERY_MS = 2_000;
const REQUEST_TIMEOUT_MS = 5_000;
/** The server may still be working on the last attempt, so what is not there is looked up once more. */
const MISSING_TIMES = 2;
const TOO_MANY_REQUESTS = 429;

/**
 * Looks up what became of a call, by its key, until the server has said it: also after a connection that was away for long.
 * @param isTold true once the page knows it from elsewhere.
 * @returns the call with its owner's wallet; null if it was not placed.
 * @throws ApiError for a viewer who may not ask any more; Unreachable where the page may not.
 */
export async function findPlaced(api: Api, key: string, isTold: () => boolean): Promise<CallAnswer | null> {
  for (let missing = 0; missing < MISSING_TIMES;) {
    // All pages of a show may be back at the same moment.
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS * (0.5 + Math.random())));
    if (isTold()) return null;
    if (isDismissed()) throw new Unreachable("The page may not ask.");
    try {
      const found = await look(api, key);
      if (found !== null) return found;
      missing += 1;
    } catch (error) {
      if (isAnswer(error) && error.status !== TOO_MANY_REQUESTS) throw error;
    }
  }
  return null;
}

async function look(api: Api, key: string): Promise<CallAnswer | null> {
  const signal = AbortSignal.timeout(REQUEST_TIMEOUT_MS);
  const { calls } = await api.get("/api/v1/calls", { query: { idempotencyKey: key }, signal });
  const [call] = calls;
  if (call === undefined) return null;
  const { wallet } = await api.get(`/api/v1/users/${call.userId}/wallet`, { signal });
  return { call, wallet };
}
