import { expect, type Page } from "playwright/test";
import { desk, phone, profileOf, signedIn } from "./players.ts";
import { apiOf } from "./show-host.ts";
import { test } from "./support/journey.ts";

/** Adjusts a wallet as an admin, which notifies its owner. */
async function correctWallet(admin: Page, userId: number, correction: { amount: number; reason: string }) {
  const api = apiOf(admin.context(), admin.url());
  await api("POST", `/api/v1/users/${userId}/wallet/adjustments`, { adjustment: correction });
}

/** A new guest on the live screen, so that no other journey gets notifications. */
async function playAsGuest(page: Page): Promise<number> {
  await page.goto("/users/sign_in");
  await page.getByRole("button", { name: /^(Play|Join) now$/ }).click();
  await expect(page).toHaveURL(/\/sessions\//);
  return (await profileOf(page)).id;
}

test("a notification appears at once, is counted, read and cleared, and never covers the sides", async ({
  browser,
}) => {
  const admin = await signedIn(browser, "admin");
  const page = await (await browser.newContext({ viewport: phone })).newPage();
  const userId = await playAsGuest(page);
  await page.locator("#root[data-hydrated]").waitFor();
  await correctWallet(admin, userId, { amount: 5, reason: "Lost in the outage" });

  const toast = page.getByRole("status").filter({ hasText: "Lost in the outage" });
  await expect(toast).toContainText("Your wallet was corrected: +$5.00.");
  const [told, sides] = [await toast.boundingBox(), await page.getByRole("radiogroup").first().boundingBox()];
  expect((told?.y ?? 0) + (told?.height ?? 0)).toBeLessThan(sides?.y ?? 0);
  await expect(page.getByRole("link", { name: "Available $105.00" })).toBeVisible();

  await page.getByRole("button", { name: "Menu", exact: true }).click();
  await page.getByRole("button", { name: "Notifications, 1 new" }).click();
  const sheet = page.getByRole("dialog", { name: "Notifications" });
  await expect(sheet.getByText("Lost in the outage")).toBeVisible();
  await expect.poll(async () => (await profileOf(page)).notificationCount).toBe(0);

  // Opened again, it is not new any more.
  await page.reload();
  await page.locator("#root[data-hydrated]").waitFor();
  await page.getByRole("button", { name: "Menu", exact: true }).click();
  await page.getByRole("button", { name: "Notifications", exact: true }).click();
  await sheet.getByRole("button", { name: "Clear all" }).click();
  await expect(sheet.getByText(/^Nothing new/)).toBeVisible();
  await expect.poll(async () => (await profileOf(page)).notifications).toEqual([]);
});

function boxesOf(page: Page, selector: string) {
  return page.locator(selector).evaluateAll((elements) =>
    elements.map((element) => {
      const { left, right, top, bottom, height } = element.getBoundingClientRect();
      return { left, right, top, bottom, height };
    }),
  );
}

const screens = [phone, { width: 360, height: 640 }, { width: 320, height: 568 }, desk];

test("two toasts are a line each, on any screen, and cover neither the question nor the clock nor the sides", async ({
  browser,
}) => {
  const admin = await signedIn(browser, "admin");
  for (const viewport of screens) {
    const page = await (await browser.newContext({ viewport })).newPage();
    const userId = await playAsGuest(page);
    await page.locator("#root[data-hydrated]").waitFor();
    const reason =
      "A long reason that would need several lines if it was not cut off at the end of the first. ";
    for (const amount of [1, 2]) await correctWallet(admin, userId, { amount, reason: reason.repeat(3) });
    await expect(page.locator(".toast")).toHaveCount(2);
    await expect(page.locator(".toast").first()).toContainText("+$1.00");
    const toasts = await boxesOf(page, ".toast");
    const parts = await boxesOf(page, ".card-q, .card .clock, .card .result, .sides");
    expect(parts.length).toBeGreaterThanOrEqual(2);
    for (const toast of toasts) {
      expect(toast.height).toBeLessThanOrEqual(44);
      expect([toast.left >= 0, toast.right <= viewport.width, toast.bottom <= viewport.height]).toEqual([
        true,
        true,
        true,
      ]);
      for (const part of parts)
        expect(toast.bottom <= part.top || toast.top >= part.bottom, JSON.stringify({ toast, part })).toBe(
          true,
        );
    }
    await page.close();
  }
});

test("without JavaScript notifications are read and cleared by plain forms", async ({ browser }) => {
  const admin = await signedIn(browser, "admin");
  const context = await browser.newContext({ viewport: phone, javaScriptEnabled: false });
  const page = await context.newPage();
  const userId = await playAsGuest(page);
  await correctWallet(admin, userId, { amount: 1, reason: "A small thing" });
  await page.reload();

  const sheet = page.getByRole("dialog", { name: "Notifications" });
  const open = async (name: string) => {
    await page.getByRole("button", { name: "Menu", exact: true }).click();
    await page.getByRole("button", { name, exact: true }).click();
  };
  await open("Notifications, 1 new");
  await expect(sheet.getByText("A small thing")).toBeVisible();
  await sheet.getByRole("button", { name: "Mark as read" }).click();
  await expect(page).toHaveURL(/\/sessions\//);
  await open("Notifications");
  await sheet.getByRole("button", { name: "Clear all" }).click();
  await open("Notifications");
  await expect(sheet.getByText(/^Nothing new/)).toBeVisible();
});
