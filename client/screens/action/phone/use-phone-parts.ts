import { whenIdle } from "#client/base/browser/when-idle.ts";
import { partsOf } from "#client/base/deferred/use-late-parts.ts";
import { fetchLate } from "#client/base/live/late-code.ts";
import { whenUsed } from "#client/base/live/when-used.ts";

/**
 * What a live session has beside its card: the sheets and reactions of the Action screen, and the state of the game on other
 * pages. Their code is fetched when the page is used.
 * @returns null until it has arrived.
 */
export const usePhoneParts = partsOf(async () => {
  // A page that is loaded again with an open sheet has the sheet's name in its address.
  await new Promise<void>(location.hash === "" ? whenUsed : whenIdle);
  return (await fetchLate(() => import("./phone-parts.tsx"))).phoneParts;
});
