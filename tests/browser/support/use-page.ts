import type { Page } from "playwright/test";

/**
 * Makes a live page load now what it loads at its first use, such as the code of the result bar and the sheets. The event is not a user's
 * input, after which browsers do not count layout shifts for half a second.
 */
export async function use(page: Page): Promise<void> {
  await page.evaluate(() => dispatchEvent(new Event("wheel")));
}
