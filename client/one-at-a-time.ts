const TRY_AGAIN_MS = 1_000;
const TRY_AGAIN_MAX_MS = 8_000;

/**
 * Runs the work when asked, never twice at once. What throws is tried again after 1, 2, 4 and then 8 s; what is asked for
 * while it runs is done once more afterwards. Nothing begins once `gone` is aborted.
 * @returns asks.
 */
export function oneAtATime(
  gone: AbortSignal,
  work: () => Promise<void>,
  tryAgainMs: number = TRY_AGAIN_MS,
): () => void {
  let asked = false;
  let running = false;
  const run = async () => {
    running = true;
    for (let waitMs = tryAgainMs; asked && !gone.aborted;) {
      asked = false;
      try {
        await work();
        waitMs = tryAgainMs;
      } catch {
        asked = true;
        await new Promise((resolve) => setTimeout(resolve, waitMs));
        waitMs = Math.min(TRY_AGAIN_MAX_MS, waitMs * 2);
      }
    }
    running = false;
  };
  return () => {
    asked = true;
    if (!running) void run();
  };
}
