import { test as base } from "playwright/test";

/**
 * A journey. Every browser that it opened is closed behind it: a page that stays open goes on playing, and the journeys after
 * it share two cores with all of them.
 */
export const test = base.extend<{ closing: void }>({
  closing: [
    async ({ browser }, use) => {
      await use();
      await Promise.all(browser.contexts().map((context) => context.close()));
    },
    { auto: true },
  ],
});
