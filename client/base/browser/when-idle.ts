const LATER_MS = 200;

/** Does work that nobody waits for when the browser has nothing else to do, so that it delays no answer to a touch or a key. */
export function whenIdle(work: () => void): void {
  // Safari has no idle callbacks.
  if (typeof globalThis.requestIdleCallback === "function") globalThis.requestIdleCallback(work);
  else setTimeout(work, LATER_MS);
}
