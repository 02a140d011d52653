import { expect, type Page } from "playwright/test";
import { desk, phone, profileOf, signedIn } from "./players.ts";
import { apiOf } from "./show-host.ts";
import { test } from "./support/journey.ts";
import { lock, startShow } from "./support/two-device-show.ts";

/** Adjusts a wallet as an admin, which notifies its owner. */
async function correctWallet(admin: Page, userId: number, correction: { amount: number; reason: string }) {
  const api = apiOf(admin.context(), admin.url());
  await api("POST", `/api/v1/users/${userId}/wallet/adjustments`, { adjustment: correction });
}

/** A new guest on the screen of a show, so that no other journey gets notifications. @returns the guest's id. */
async function playAsGuest(page: Page, { slug, origin }: { slug: string; origin: string }): Promise<number> {
  await apiOf(page.context(), origin)("POST", "/users/guest");
  await page.goto(`/sessions/${slug}`);
  return (await profileOf(page)).id;
}

/** Adjusts a wallet while the page is in the background, where the time of a toast does not run: it stays until somebody looks. */
async function correctUnseen(
  page: Page,
  admin: Page,
  userId: number,
  corrections: readonly { amount: number; reason: string }[],
) {
  await page.locator("#root[data-hydrated]").waitFor();
  await lock(page, true);
  for (const correction of corrections) await correctWallet(admin, userId, correction);
}

test("a notification appears at once, is counted, read and cleared, and never covers the sides", async ({
  browser,
  baseURL,
}) => {
  const origin = baseURL ?? "";
  const { slug } = await startShow(browser, origin);
  const admin = await signedIn(browser, "admin");
  const page = await (await browser.newContext({ viewport: phone })).newPage();
  const userId = await playAsGuest(page, { slug, origin });
  await correctUnseen(page, admin, userId, [{ amount: 5, reason: "Lost in the outage" }]);

  const toast = page.getByRole("status").filter({ hasText: "Lost in the outage" });
  await expect(toast).toContainText("Your wallet was corrected: +$5.00.");
  const [told, sides] = [await toast.boundingBox(), await page.getByRole("radiogroup").first().boundingBox()];
  expect((told?.y ?? 0) + (told?.height ?? 0)).toBeLessThan(sides?.y ?? 0);
  await expect(page.getByRole("img", { name: "Available $105.00" })).toBeVisible();
  await lock(page, false);

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
  baseURL,
}) => {
  const origin = baseURL ?? "";
  const { slug } = await startShow(browser, origin);
  const admin = await signedIn(browser, "admin");
  for (const viewport of screens) {
    const page = await (await browser.newContext({ viewport })).newPage();
    const userId = await playAsGuest(page, { slug, origin });
    const reason =
      "A long reason that would need several lines if it was not cut off at the end of the first. ".repeat(3);
    await correctUnseen(
      page,
      admin,
      userId,
      [1, 2].map((amount) => ({ amount, reason })),
    );
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

test("without JavaScript notifications are read and cleared by plain forms", async ({ browser, baseURL }) => {
  const origin = baseURL ?? "";
  const { slug } = await startShow(browser, origin);
  const admin = await signedIn(browser, "admin");
  const context = await browser.newContext({ viewport: phone, javaScriptEnabled: false });
  const page = await context.newPage();
  const userId = await playAsGuest(page, { slug, origin });
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
  // On the page that is the answer it is closed.
  await expect(sheet).toBeHidden();
  await expect(page).toHaveURL(/\/sessions\//);
  await open("Notifications");
  await sheet.getByRole("button", { name: "Clear all" }).click();
  await expect(sheet).toBeHidden();
  await open("Notifications");
  await expect(sheet.getByText(/^Nothing new/)).toBeVisible();
});
