import { test as base } from "playwright/test";

/** The tag of a journey that runs with `bun run prove`: a further screen of one that runs each day. */
export const PROOF = "@proof";

/**
 * A journey. All browser contexts that it opened are closed after it: an open page goes on playing, and would slow down the
 * journeys after it, which share two cores.
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
