import { CHANGED_AT_HEADER } from "#src/http/contract.ts";
import { type Api, ApiError, createApi } from "../api/api.ts";

/** Other requests do what the player wants done, and their answers say nothing else. Marking as read answers with the list. */
function hasNews(method: string, path: string): boolean {
  return method === "GET" || (method === "PUT" && path.endsWith("/notifications/read"));
}

/**
 * When the answers change that the server gives: an answer says how everything is now, which is how it was since the last change.
 * So it may be shown together with that change, and at once where nothing has happened for long enough.
 */
export function createChangeTimes(nowMs: () => number) {
  const times = new WeakMap<object, number>();
  const timeIn = (headers: Headers) => {
    const text = headers.get(CHANGED_AT_HEADER);
    // Without the header nothing is known about the last change: it may have been now.
    return text === null ? nowMs() : Math.min(Number(text), nowMs());
  };
  return {
    /** Takes an answer as it arrives. */
    learn: (answer: unknown, headers: Headers) => {
      if (typeof answer === "object" && answer !== null) times.set(answer, timeIn(headers));
    },
    /** The last change that this answer or refusal may contain. */
    of: (answer: unknown) => {
      if (answer instanceof ApiError) return timeIn(answer.response.headers);
      return (typeof answer === "object" && answer !== null ? times.get(answer) : undefined) ?? nowMs();
    },
  };
}

/**
 * An API whose answers come when they may be shown, refusals included. Without an answer a request fails at once.
 * @param untilShown resolves when this answer or refusal may be shown, or when the signal is aborted.
 */
export function holdAnswers(
  api: Api,
  untilShown: (answer: unknown, signal: AbortSignal | undefined) => Promise<void>,
): Api {
  return createApi({
    inProcess: api.inProcess,
    carry: async (method, path, options) => {
      if (!hasNews(method, path)) return api.request(method, path, options);
      try {
        const answer = await api.request(method, path, options);
        await untilShown(answer, options.signal);
        return answer;
      } catch (error) {
        if (error instanceof ApiError) await untilShown(error, options.signal);
        throw error;
      }
    },
  });
}
