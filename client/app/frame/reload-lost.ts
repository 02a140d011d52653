const KEY = "lost-at";
/** A screen that is lost again within this time would be lost after each reload. */
const AGAIN_MS = 5 * 60_000;

/**
 * Loads the page again whose screen React has lost, because something else has changed the page: page translators and other
 * extensions do. Once in five minutes and tab.
 */
export function reloadLost(error: unknown): void {
  if (!(error instanceof DOMException) || error.name !== "NotFoundError" || wasLostJustNow()) return;
  globalThis.location.reload();
}

/** Also where the tab remembers nothing: the reload could be one of many. */
function wasLostJustNow(): boolean {
  try {
    const lostAtMs = Number(sessionStorage.getItem(KEY) ?? Number.NEGATIVE_INFINITY);
    if (Date.now() - lostAtMs < AGAIN_MS) return true;
    sessionStorage.setItem(KEY, String(Date.now()));
    return sessionStorage.getItem(KEY) === null;
  } catch {
    return true;
  }
}
