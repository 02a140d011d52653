import { formatMoney } from "#client/base/format/money.ts";
import { chromiumFlags, requireChromium } from "#tests/support/chromium.ts";
import { newPlayer, profileOf } from "./players.ts";
import { apiOf } from "./show-host.ts";
import { type Page, expect, goBack, hydrated, openLive, stopClock, test } from "./support/journey.ts";
import { callSide, startShow } from "./support/two-device-show.ts";

// Playwright switches off the browser's cache of whole pages.
test.use({
  launchOptions: {
    executablePath: requireChromium(),
    args: chromiumFlags,
    ignoreDefaultArgs: ["--disable-back-forward-cache"],
  },
});

/** A new player and a show. The browser has run a script, and says so with its next request. */
async function enterShow() {
  const { page } = await newPlayer("back");
  await openLive(page, "/profile");
  const names = async () => (await page.context().cookies()).map((cookie) => cookie.name);
  await expect.poll(names).toContain("time_zone");
  return { page, ...(await startShow()) };
}

const LED_BACK = /\/users\/sign_in\?return_to=/;
const LED_WITHIN_MS = 10_000;

/** Opens a page, and leaves it for one without a viewer's data. */
async function openAndLeave(page: Page, path: string): Promise<void> {
  const opened = page.waitForEvent("websocket");
  await page.goto(path);
  await opened;
  await hydrated(page);
  // A browser does not keep a page that waits for an answer.
  await page.waitForLoadState("networkidle");
  await page.evaluate(() => void Object.assign(globalThis, { samePage: true }));
  await page.goto("/terms");
}

function isSamePage(page: Page): Promise<boolean> {
  return page.evaluate(() => "samePage" in globalThis).catch(() => false);
}

test("a page to which the viewer comes back is the same one, live and up to date; after a sign-out, going back shows none", async () => {
  const { page, path, open: event } = await enterShow();
  await openAndLeave(page, path);
  await callSide(apiOf(page), event, "true", 7);

  await goBack(page);
  await expect(page).toHaveURL(path);
  await expect(async () => {
    const { wallet } = await profileOf(page);
    const available = `Available ${formatMoney(wallet.availableBalanceCents)}`;
    await expect(page.getByRole("link", { name: available })).toBeVisible({ timeout: 1_000 });
  }).toPass();
  expect(await isSamePage(page)).toBe(true);
  await expect(page.getByText("In sync", { exact: true })).toBeVisible();

  const left = await page.context().newPage();
  await openAndLeave(left, "/profile/wallet");
  await openLive(page, "/profile");
  await page.locator("#main").getByRole("button", { name: "Logout" }).click();
  await expect(page).toHaveURL("/users/sign_in");
  for (const tab of [left, page]) {
    // The sign-out may still lead the page elsewhere in that moment.
    await expect(async () => {
      if (!LED_BACK.test(tab.url())) await goBack(tab);
      await expect(tab).toHaveURL(LED_BACK, { timeout: LED_WITHIN_MS });
    }).toPass();
    await expect(tab.getByRole("heading", { name: "Say it before it happens." })).toBeVisible();
    expect(await isSamePage(tab)).toBe(false);
  }
});

test("a touch on a link fetches the next page's code and data, and the click uses them", async () => {
  const { page, path } = await enterShow();
  await page.clock.install();
  await openLive(page, path);
  await page.waitForLoadState("networkidle");
  const requested: string[] = [];
  page.on("request", (request) => requested.push(new URL(request.url()).pathname));
  const calls = () => requested.filter((path) => path === "/api/v1/calls").length;

  // A page that is live late follows touches only after its first one.
  await expect(async () => {
    await page.getByRole("link", { name: /^Available/ }).dispatchEvent("pointerdown");
    expect(requested).toContain("/api/v1/transactions");
  }).toPass();
  // What was fetched is used within a few seconds, which do not pass here.
  await stopClock(page);
  const link = page.getByRole("navigation", { name: "Session" }).getByRole("link", { name: "History" });
  await link.dispatchEvent("pointerdown");
  await expect.poll(calls).toBe(1);
  await expect
    .poll(() => requested.filter((path) => /^\/assets\/screens-.*\.js$/.test(path)))
    .not.toEqual([]);
  expect([calls(), new URL(page.url()).pathname]).toEqual([1, path]);
  await link.click();
  await expect(page.getByRole("heading", { name: "You have not called anything here yet" })).toBeVisible();
  expect(calls()).toBe(1);
});
