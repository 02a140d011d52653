import { expect, type Page } from "playwright/test";

const SOON_MS = 1_000;

/** Stops an installed clock of a page: what it shows for seconds stays until they have passed for it. */
export async function stopClock(page: Page): Promise<void> {
  // On a busy machine the clock of the page may be past that moment already.
  await expect(() => page.clock.pauseAt(Date.now() + SOON_MS)).toPass();
}
