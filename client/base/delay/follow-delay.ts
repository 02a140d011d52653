import { DELAY_COOKIE, delayIn } from "#src/http/contract.ts";
import type { Page } from "../page/page.ts";

/**
 * Loads this page again once it is behind by another delay than the one that the device has: another tab has changed it, while this one
 * was open, was being loaded or was kept for going back. It belongs to the first scripts, because an early text is a spoiler.
 */
export function followDelay({ delaySeconds, viewer }: Page): void {
  // The server shows the game to them as it is.
  if (viewer?.roles.length || viewer?.hostOf[0]) return;
  const follow = (chosen: string | null | undefined) => {
    if (delayIn(chosen ?? null) !== delaySeconds) globalThis.location.reload();
  };
  const followCookie = () => follow(new RegExp(`(?:^|; )${DELAY_COOKIE}=(\\d+)`).exec(document.cookie)?.[1]);
  followCookie();
  window.addEventListener("pageshow", followCookie);
  // A browser may still give this tab the cookies of before, so the event's own value counts.
  window.addEventListener("storage", ({ key, newValue }) => key === DELAY_COOKIE && follow(newValue));
}
