import { whenIdle } from "../browser/when-idle.ts";
import { isDismissed } from "./connection.ts";

const AT_THE_LATEST_MS = 8_000;
/** The end of a touch: what it presses goes first. */
const uses = ["pointerup", "keydown", "wheel", "scroll"] as const;

let isUsed = false;

/** Does work that only a used page needs: after the first touch or key, or some seconds after it was opened. */
export function whenUsed(work: () => void): void {
  if (isUsed && !isDismissed()) return whenIdle(work);
  const used = new AbortController();
  const start = () => {
    // A dismissed page sends no more requests.
    if (used.signal.aborted || isDismissed()) return;
    isUsed = true;
    used.abort();
    clearTimeout(timer);
    whenIdle(work);
  };
  const timer = setTimeout(start, AT_THE_LATEST_MS);
  for (const use of uses)
    globalThis.addEventListener(use, start, { signal: used.signal, capture: true, passive: true });
}
