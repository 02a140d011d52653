import type { Carrier, RequestOptions } from "./api.ts";

/** Older answers are not used: what they say may have changed. */
export const USED_WITHIN_MS = 3_000;

/** Answers to GET requests that the next page will send, by address. Each is used once. */
const early = new Map<string, { answer: Promise<unknown>; startedMs: number }>();

/** Drops all of them: the viewer has changed something, or a message says that something has changed. */
export function forgetPrefetched(): void {
  early.clear();
}

/** Sends GET requests ahead of the page that needs them. Other requests have effects and are refused. */
export function carryAhead(carry: Carrier): Carrier {
  return async (method, path, { query = {} }) => {
    if (method !== "GET") throw new Error("Only GET requests can be sent ahead.");
    // Without the signal: the request goes on when its caller is aborted.
    const answer = carry(method, path, { query });
    early.set(keyOf(path, query), { answer, startedMs: performance.now() });
    return answer;
  };
}

/** Takes the answers that were sent for ahead; a request whose answer failed is sent again. */
export function carryPrefetched(carry: Carrier): Carrier {
  return async (method, path, options) => {
    if (method !== "GET") {
      forgetPrefetched();
      // What was sent for meanwhile may have been answered before the change.
      return carry(method, path, options).finally(forgetPrefetched);
    }
    const key = keyOf(path, options.query);
    const found = early.get(key);
    early.delete(key);
    if (found === undefined || performance.now() - found.startedMs > USED_WITHIN_MS)
      return carry(method, path, options);
    return found.answer.catch(() => carry(method, path, options));
  };
}

function keyOf(path: string, query: RequestOptions["query"] = {}): string {
  return path + JSON.stringify(query);
}
