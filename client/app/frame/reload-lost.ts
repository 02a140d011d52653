import { readStored, store } from "#client/base/browser/storage.ts";

const KEY = "lost-at";
/** A screen that is lost again within this time would be lost after each reload. */
const AGAIN_MS = 5 * 60_000;

/** The page's code is not on the server any more: another build is. */
export class CodeGone extends Error {
  override readonly name = "CodeGone";
}

/**
 * Loads the page again whose code is gone, or whose screen React has lost, because something else has changed the page: page
 * translators and other extensions do. Once in five minutes and tab.
 */
export function reloadLost(error: unknown): void {
  const isLost = error instanceof DOMException && error.name === "NotFoundError";
  if ((isLost || error instanceof CodeGone) && !wasLostJustNow()) globalThis.location.reload();
}

/** Also where the tab remembers nothing: the reload could be one of many. */
function wasLostJustNow(): boolean {
  const lostAtMs = Number(readStored(KEY, "sessionStorage") ?? Number.NEGATIVE_INFINITY);
  if (Date.now() - lostAtMs < AGAIN_MS) return true;
  store(KEY, String(Date.now()), "sessionStorage");
  return readStored(KEY, "sessionStorage") === null;
}
