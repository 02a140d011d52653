/** Longer than any answer of ours takes; then the page says so instead of turning on. */
const ANSWER_WITHIN_MS = 15_000;
const TRY_AGAIN_MS = 400;
const TRY_AGAIN_MAX_MS = 3_000;
const SECOND_MS = 1_000;
const safeMethods = new Set(["GET", "HEAD"]);
/** A server that is starting, or a proxy that does not find it. */
const passing = new Set([502, 503, 504]);

/** No answer at all: offline, the server is away, or it took too long. */
export class Unreachable extends Error {
  override readonly name = "Unreachable";
}

export type Send = (path: string, init: RequestInit) => Promise<Response>;

/**
 * Sends a request from a browser. What only looks is sent once more where nothing came back, or where the server was away
 * for a moment; what changes something is not, since it may have been done.
 * @throws Unreachable without an answer in time; whatever `init.signal` is aborted with, once it is.
 */
export async function reach(send: Send, path: string, init: RequestInit): Promise<Response> {
  if (!safeMethods.has(init.method ?? "GET")) return sendOnce(send, path, init);
  const first = await sendOnce(send, path, init).catch((error: unknown) => {
    if (error instanceof Unreachable && !isTimeout(error)) return null;
    throw error;
  });
  if (first !== null && !passing.has(first.status)) return first;
  await pause(waitMs(first), init.signal);
  return sendOnce(send, path, init);
}

async function sendOnce(send: Send, path: string, init: RequestInit): Promise<Response> {
  const inTime = AbortSignal.timeout(ANSWER_WITHIN_MS);
  const signal = init.signal ? AbortSignal.any([init.signal, inTime]) : inTime;
  try {
    return await whole(await send(path, { ...init, signal }));
  } catch (error) {
    if (init.signal?.aborted === true) throw error;
    throw new Unreachable(
      inTime.aborted ? "The server did not answer in time." : "The server cannot be reached.",
      { cause: error },
    );
  }
}

/** The answer once all of it is there: one that is cut off in its middle is none. */
async function whole(response: Response): Promise<Response> {
  const { status, statusText, headers } = response;
  const text = await response.text();
  return new Response(text === "" ? null : text, { status, statusText, headers });
}

function isTimeout({ cause }: Unreachable): boolean {
  return cause instanceof Error && cause.name === "TimeoutError";
}

/** As long as the server asks for, within what somebody waits for a page. */
function waitMs(response: Response | null): number {
  const askedMs = Number(response?.headers.get("retry-after") ?? 0) * SECOND_MS;
  return Math.min(TRY_AGAIN_MAX_MS, Math.max(TRY_AGAIN_MS, askedMs || 0));
}

/** Ends early where nobody waits any more. */
async function pause(ms: number, signal?: AbortSignal | null): Promise<void> {
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal?.addEventListener("abort", () => (clearTimeout(timer), resolve()), { once: true });
  });
  signal?.throwIfAborted();
}
