import { useCallback, useEffect, useEffectEvent, useRef } from "react";
import { beginLoad, isDismissed } from "./connection.ts";

const RETRY_FIRST_MS = 1_000;
const RETRY_MAX_MS = 8_000;

/**
 * Runs `work` on request, one run at a time. Requests during a run lead to one more run after it. A run that throws is
 * retried after 1, 2, 4 and then 8 s, or once the network is back, unless the server told the page to stay away. No run starts once `signal` is aborted.
 * @returns requests a run.
 */
export function singleFlight(
  signal: AbortSignal,
  work: () => Promise<void>,
  retryMs: number = RETRY_FIRST_MS,
): () => void {
  let requested = false;
  let running = false;
  let end = () => {};
  const run = async () => {
    for (let waitMs = retryMs; requested && !signal.aborted;) {
      requested = false;
      try {
        await work();
        waitMs = retryMs;
      } catch {
        requested = true;
        await pause(waitMs);
        if (isDismissed()) break;
        waitMs = Math.min(RETRY_MAX_MS, waitMs * 2);
      }
    }
    running = false;
    end();
  };
  return () => {
    requested = true;
    if (running) return;
    running = true;
    end = beginLoad();
    // Requests of one moment are one.
    queueMicrotask(() => void run());
  };
}

/** The same for a component, until it is gone or has another `subject`. `work` is what the last render has given. */
export function useSingleFlight(
  work: (signal: AbortSignal) => Promise<void>,
  subject?: string | number,
): () => void {
  const run = useEffectEvent(work);
  const request = useRef<(() => void) | null>(null);
  useEffect(() => {
    const left = new AbortController();
    request.current = singleFlight(left.signal, () => run(left.signal));
    return () => left.abort();
  }, [subject]);
  return useCallback(() => request.current?.(), []);
}

async function pause(waitMs: number): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, waitMs);
  globalThis.addEventListener("online", () => resolve(), { once: true });
  await promise;
  clearTimeout(timer);
}
