import { type Browser, expect, type Page } from "playwright/test";
import { openEvent, phone, profileOf, signedIn } from "./players.ts";
import { test } from "./support/journey.ts";
import { layoutShiftOf, recordLayoutShifts } from "./support/layout-shifts.ts";

/** A stranger on a phone, who counts taps. */
async function stranger(
  browser: Browser,
): Promise<{ page: Page; tap: (what: RegExp) => Promise<void>; taps: () => number }> {
  const context = await browser.newContext({ viewport: phone, hasTouch: true });
  await recordLayoutShifts(context);
  const page = await context.newPage();
  let taps = 0;
  const tap = async (name: RegExp) => {
    taps += 1;
    await page.getByRole("button", { name }).or(page.getByRole("radio", { name })).first().tap();
  };
  return { page, tap, taps: () => taps };
}

test("from / to the first call a stranger needs two taps, and the name is there", async ({ browser }) => {
  const host = await signedIn(browser, "operator");
  const { page, tap, taps } = await stranger(browser);
  await page.goto("/");
  await expect(page).toHaveURL("/users/sign_in");
  const { event } = await openEvent(host, { secondsLeft: 6 });
  // The open page shows the new question by itself.
  await expect(page.getByRole("heading", { name: event.title })).toBeVisible();
  await expect(page.getByRole("timer")).toBeVisible();
  await page.getByLabel("Your name").fill(`zoe_${Date.now() % 1e9}`);
  // But a line or two within the live card, where another question has come meanwhile.
  expect(await layoutShiftOf(page)).toBeLessThan(0.005);
  await tap(/^Play now$/);
  await expect(page).toHaveURL(/\/sessions\//);
  await openEvent(host, { secondsLeft: 6 });
  await tap(/You think/);
  await expect(page.getByText(/Placed \d\d:\d\d:\d\d/)).toBeVisible();
  expect(taps()).toBe(2);
  expect(await profileOf(page)).toMatchObject({ guest: true, username: /^zoe_/ });
  // Back at the door the guest is at the game.
  await page.goto("/");
  await expect(page).toHaveURL(/\/sessions\//);
});
