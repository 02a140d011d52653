import { expect, type Page } from "playwright/test";
import { DELAY_COOKIE } from "#src/http/contract.ts";
import { intercept } from "./journey.ts";
import { closeIn, PRESSED_WITHIN_MS, pressUntilGone, resultBar } from "./result-bar.ts";
import { lock } from "./two-device-show.ts";

/** What has to be done with a page, besides the show, to bring it into a state, and out of it. */
export type PageState = {
  enter: (page: Page) => Promise<void>;
  leave: (page: Page) => Promise<void>;
};

/**
 * The page's clock stands at a moment, in milliseconds since 1970, although it is earlier. The server says the same: what a slow page has
 * measured before may be wrong by seconds.
 */
export function atMoment(moment: number): PageState {
  const ends = new Map<Page, () => void>();
  return {
    enter: async (page) => {
      const json = { serverTime: new Date(moment).toISOString() };
      ends.set(page, await intercept(page, "**/up", (route) => route.fulfill({ json })));
      await page.evaluate((standing) => {
        const { now } = Date;
        // Both clocks of the page, so that it sees no jump of one.
        const steady = performance.now() + standing - now();
        const measure = () => document.dispatchEvent(new Event("visibilitychange"));
        const measuring = setInterval(measure, 1_000);
        Object.assign(window, {
          clocksAsTheyWere: () => {
            clearInterval(measuring);
            Date.now = now;
            Reflect.deleteProperty(performance, "now");
          },
        });
        Date.now = () => standing;
        Object.defineProperty(performance, "now", { configurable: true, value: () => steady });
        measure();
      }, moment);
    },
    leave: async (page) => {
      await page.evaluate("window.clocksAsTheyWere()");
      ends.get(page)?.();
    },
  };
}

/** The device has no network. */
export const withoutNetwork: PageState = {
  enter: (page) => page.context().setOffline(true),
  leave: async (page) => {
    await page.context().setOffline(false);
    await expect(page.locator(".topbar .sync:not(.off)")).toBeVisible();
  },
};

/**
 * The device has a stream delay, and its page is loaded again.
 * @param isCaughtUp false: the page is still hidden.
 */
export function delayedPage(seconds: number, isCaughtUp: boolean): PageState {
  return {
    enter: async (page) => {
      const { origin } = new URL(page.url());
      await page.context().addCookies([{ name: DELAY_COOKIE, value: String(seconds), url: origin }]);
      await page.reload();
      if (isCaughtUp) await page.locator("#root[data-hydrated]").waitFor();
    },
    leave: async (page) => {
      await page.context().clearCookies({ name: DELAY_COOKIE });
      await page.reload();
      await page.locator("#root[data-hydrated]").waitFor();
    },
  };
}

/** The result bar with these words, on a page that holds its result bars. What it announces before is closed. */
export function withResultBar(words: RegExp): PageState {
  return {
    enter: async (page) => {
      const bar = resultBar(page);
      await expect(async () => {
        if (await bar.filter({ hasNotText: words }).isVisible())
          await closeIn(page).click({ timeout: PRESSED_WITHIN_MS });
        await expect(bar).toHaveText(words, { timeout: RESULT_BAR_WITHIN_MS });
      }).toPass();
    },
    leave: (page) => pressUntilGone(closeIn(page), resultBar(page).filter({ hasText: words })),
  };
}

/** A refusal in a toast: an amount that is more than the action takes, whose button says why and counts as disabled. On a page in the background its time does not run. */
export const withToast: PageState = {
  enter: async (page) => {
    await lock(page, true);
    await page.getByRole("button", { name: "$10", exact: true }).click({ force: true });
    await expect(page.getByRole("alert")).toBeVisible();
  },
  leave: async (page) => {
    const toast = page.getByRole("alert");
    await pressUntilGone(toast.getByRole("button", { name: "Close" }), toast);
    await lock(page, false);
  },
};

const RESULT_BAR_WITHIN_MS = 1_000;
