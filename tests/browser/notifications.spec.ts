import { desk, newGuestPage, phone, profileOf } from "./players.ts";
import type { Api } from "./show-host.ts";
import { type Device, type Page, expect, hydrated, test } from "./support/journey.ts";
import { lock, startShow } from "./support/two-device-show.ts";

const LONG_REASON =
  "A long reason that would need several lines if it was not cut off at the end of the first. ".repeat(3);
const screens = [{ width: 360, height: 640 }, { width: 320, height: 568 }, desk, phone];

/** A new guest on the screen of a show, so that no other journey gets notifications. @returns corrects the wallet, which notifies. */
async function playAsGuest(host: Api, path: string, device?: Device) {
  const page = await newGuestPage(device);
  await page.goto(path);
  const { id } = await profileOf(page);
  const correct = (amount: number, reason: string) =>
    host("POST", `/api/v1/users/${id}/wallet/adjustments`, { adjustment: { amount, reason } });
  return { page, correct };
}

test("notifications appear at once, are counted, read and cleared, and cover nothing, with and without JavaScript", async () => {
  const { path, host } = await startShow();
  const { page, correct } = await playAsGuest(host, path);
  await hydrated(page);
  // In the background the time of a toast does not run: it stays until somebody looks.
  await lock(page, true);
  await correct(5, "Lost in the outage");
  const toast = page.getByRole("status").filter({ hasText: "Lost in the outage" });
  await expect(toast).toContainText("Your wallet was corrected: +$5.00.");
  await correct(1, LONG_REASON);
  await expect(page.getByRole("img", { name: "Available $106.00" })).toBeVisible();
  for (const viewport of screens) await expectBesideTheGame(page, viewport);
  await lock(page, false);

  await page.getByRole("button", { name: "Menu", exact: true }).click();
  await page.getByRole("button", { name: "Notifications, 2 new" }).click();
  const sheet = page.getByRole("dialog", { name: "Notifications" });
  await expect(sheet.getByText("Lost in the outage")).toBeVisible();
  await expect.poll(async () => (await profileOf(page)).notificationCount).toBe(0);
  // Opened again, it is not new any more.
  await page.reload();
  await hydrated(page);
  await page.getByRole("button", { name: "Menu", exact: true }).click();
  await page.getByRole("button", { name: "Notifications", exact: true }).click();
  await sheet.getByRole("button", { name: "Clear all" }).click();
  await expect(sheet.getByText(/^Nothing new/)).toBeVisible();
  await expect.poll(async () => (await profileOf(page)).notifications).toEqual([]);

  const guest = await playAsGuest(host, path, { javaScriptEnabled: false });
  await guest.correct(1, "A small thing");
  await guest.page.reload();
  await readByForms(guest.page);
});

/** Two toasts are a line each, and cover neither the question nor the clock nor the sides. */
async function expectBesideTheGame(page: Page, viewport: { width: number; height: number }): Promise<void> {
  await page.setViewportSize(viewport);
  await expect(page.locator(".toast")).toHaveCount(2);
  const toasts = await boxesOf(page, ".toast");
  const parts = await boxesOf(page, ".card-q, .card .clock, .card .result, .sides");
  expect(parts.length).toBeGreaterThanOrEqual(2);
  for (const toast of toasts) {
    expect(toast.height).toBeLessThanOrEqual(44);
    const isInside = toast.left >= 0 && toast.right <= viewport.width && toast.bottom <= viewport.height;
    expect(isInside, JSON.stringify({ toast, viewport })).toBe(true);
    const covered = parts.filter((part) => toast.bottom > part.top && toast.top < part.bottom);
    expect(covered, JSON.stringify({ toast, viewport })).toEqual([]);
  }
}

function boxesOf(page: Page, selector: string) {
  return page.locator(selector).evaluateAll((elements) =>
    elements.map((element) => {
      const { left, right, top, bottom, height } = element.getBoundingClientRect();
      return { left, right, top, bottom, height };
    }),
  );
}

async function readByForms(page: Page): Promise<void> {
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
}
