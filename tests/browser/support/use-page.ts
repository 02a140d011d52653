import type { Page } from "playwright/test";

/**
 * Lets a live page take itself for used: the code of the strip and of the sheets comes now, and not some seconds later. It is no input
 * of a person, which would excuse what moves in the half second after it.
 */
export async function use(page: Page): Promise<void> {
  await page.evaluate(() => dispatchEvent(new Event("wheel")));
}
