/** Longer than any answer takes; afterwards the page reports an error instead of waiting on. */
const REQUEST_TIMEOUT_MS = 15_000;
const RETRY_MIN_MS = 400;
const RETRY_MAX_MS = 3_000;
const safeMethods = new Set(["GET", "HEAD"]);
/** Sent by a server that is starting, or by a proxy that cannot reach it. */
const retryableStatuses = new Set([502, 503, 504]);

/** No answer at all: offline, the server is away, or it took too long. */
export class Unreachable extends Error {
  override readonly name = "Unreachable";
}

export type Send = (path: string, init: RequestInit) => Promise<Response>;

/**
 * Sends a request from a browser. GET and HEAD are retried once if there was no answer, or a 502, 503 or 504. Other methods
 * are not retried, because the server may have done the work.
 * @throws Unreachable without an answer in time; the abort reason of `init.signal` once it is aborted.
 */
export async function requestWithRetry(send: Send, path: string, init: RequestInit): Promise<Response> {
  if (!safeMethods.has(init.method ?? "GET")) return sendOnce(send, path, init);
  const first = await sendOnce(send, path, init).catch((error: unknown) => {
    if (error instanceof Unreachable && !isTimeout(error)) return null;
    throw error;
  });
  if (first !== null && !retryableStatuses.has(first.status)) return first;
  await pause(retryDelayMs(first), init.signal);
  return sendOnce(send, path, init);
}

async function sendOnce(send: Send, path: string, init: RequestInit): Promise<Response> {
  const timeout = AbortSignal.timeout(REQUEST_TIMEOUT_MS);
  const signal = init.signal ? AbortSignal.any([init.signal, timeout]) : timeout;
  try {
    return await readWhole(await send(path, { ...init, signal }));
  } catch (error) {
    if (init.signal?.aborted === true) throw error;
    throw new Unreachable(
      timeout.aborted ? "The server did not answer in time." : "The server cannot be reached.",
      { cause: error },
    );
  }
}

/** Reads the whole body, so that an answer that is cut off counts as no answer. */
async function readWhole(response: Response): Promise<Response> {
  const { status, statusText, headers } = response;
  const text = await response.text();
  return new Response(text === "" ? null : text, { status, statusText, headers });
}

function isTimeout({ cause }: Unreachable): boolean {
  return cause instanceof Error && cause.name === "TimeoutError";
}

/** The wait that the server asks for, up to what a user waits for a page. */
function retryDelayMs(response: Response | null): number {
  const retryAfterMs = Number(response?.headers.get("retry-after") ?? 0) * 1_000;
  return Math.min(RETRY_MAX_MS, Math.max(RETRY_MIN_MS, retryAfterMs || 0));
}

/** Ends early when the request is aborted. */
async function pause(ms: number, signal?: AbortSignal | null): Promise<void> {
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal?.addEventListener("abort", () => (clearTimeout(timer), resolve()), { once: true });
  });
  signal?.throwIfAborted();
}
