import type { Page } from "playwright/test";

/** Goes back without waiting for a page: another step may come before it is loaded, and from a page that is gone no answer comes. */
export async function goBack(page: Page): Promise<void> {
  await page.evaluate(() => globalThis.history.back()).catch(() => undefined);
}
