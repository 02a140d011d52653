import type { CallView } from "#src/play/calls/schemas.ts";
import { desk, profileOf } from "../players.ts";
import { violationsOf } from "../support/accessibility.ts";
import { inspectPage } from "../support/inspect-page.ts";
import { type Page, expect, test } from "../support/journey.ts";
import { rowsOf } from "../support/layout-shifts.ts";
import { cancel, side } from "../support/one-phone-show.ts";
import { takeOneBack } from "../support/take-back.ts";
import { type BackToBackShow, startBackToBack } from "../support/two-device-show.ts";

const CALLED_WITHIN_MS = 10_000;

/** What people type, and the cents that are sent. */
const read = [
  ["7", 700],
  [" 7 ", 700],
  ["$42", 4_200],
  ["12.5", 1_250],
  ["1,000", 100_000],
  ["1,234.50", 123_450],
  ["5 000", 500_000],
] as const;
/** What is refused, and the reason beside the field. */
const refused = [
  ["1.000", "At most 2 digits after the point."],
  ["2.555", "At most 2 digits after the point."],
  ["abc", "Not an amount. Write it like 12.50."],
  ["0,500", "Not an amount. Write it like 12.50."],
  ["0", "Wager $0.01 or more."],
  ["-5", "Wager $0.01 or more."],
  ["", "Type an amount, like 5 or 12.50."],
  ["20,000", /^You have \$[\d,]+\.\d\d to wager\.$/],
  ["9".repeat(15), "Up to $1,000,000.00 on this question."],
] as const;

const devices = [{ viewport: { width: 320, height: 568 }, colorScheme: "dark" }, { viewport: desk }] as const;

const wagerIn = (page: Page) => page.getByRole("textbox", { name: "Wager in dollars" });
const sideOf = (page: Page) => page.getByRole("radio", { name: /You think/ });
/** As voice control and switches do it: the field keeps the focus. A side that is called has a button for more. */
const activate = (page: Page) =>
  page.evaluate(() =>
    document.querySelector<HTMLElement>(".add.true, .side.true:not(:has(+ .add))")?.click(),
  );

test("the amount on the screen is the amount that is called, or it is refused beside its field and nothing moves", async () => {
  const show = await startBackToBack(devices);
  await giveMoney(show);
  const calls = async () =>
    (await profileOf(show.devices[0])).calls.filter(({ eventId }) => eventId === show.open.id);

  for (const [index, page] of show.devices.entries()) {
    const before = await calls();
    const rows = await rowsOf(page);
    // The first device refuses all of them. The others have another layout and the same code: the longest reasons are enough.
    for (const [text, reason] of index === 0 ? refused : refused.slice(-2)) {
      await wagerIn(page).fill(text);
      await activate(page);
      await expectRefused(page, text, reason);
      expect.soft(await rowsOf(page), text).toEqual(rows);
    }
    expect.soft(await inspectPage(page)).toEqual([]);
    if (index === 0) expect.soft(await violationsOf(page)).toEqual([]);
    // What was typed stays until the amount is changed.
    await wagerIn(page).fill("abc");
    await expect(wagerIn(page)).toHaveAttribute("aria-invalid", "false");
    await wagerIn(page).blur();
    await expectRefused(page, "abc", "Not an amount. Write it like 12.50.");
    await page.getByRole("button", { name: "$5", exact: true }).click();
    await expect(wagerIn(page)).toHaveValue("5");
    await expect(page.getByRole("alert").filter({ hasText: /./ })).toHaveCount(0);
    expect(await calls()).toEqual(before);
  }

  const [page] = show.devices;
  for (const [text, cents] of read) {
    await wagerIn(page).fill(text);
    expect(await callBy(page, calls)).toMatchObject({ wagerCents: cents, side: "true" });
  }
  // An extension that sets the text of the field tells no one.
  await wagerIn(page).evaluate((field: HTMLInputElement) => {
    field.value = "8";
  });
  expect(await callBy(page, calls)).toMatchObject({ wagerCents: 800 });
  await wagerAll(page, calls);
});

/** Who has wagered all is offered nothing more, until there is money again. */
async function wagerAll(page: Page, calls: () => Promise<CallView[]>): Promise<void> {
  const label = page.locator(".side.false .label");
  const place = await label.boundingBox();
  await page.getByRole("button", { name: "Max", exact: true }).click();
  await callBy(page, calls);
  for (const name of ["True", "False"] as const) {
    await expect(side(page, name)).toContainText("Nothing left");
    await expect(side(page, name)).toBeDisabled();
  }
  expect(await label.boundingBox()).toEqual(place);
  await expect(wagerIn(page)).toHaveValue("8");
  await takeOneBack(page, () => cancel(page).click());
  for (const name of ["True", "False"] as const)
    await expect(side(page, name)).not.toContainText("Nothing left");
  await expect(side(page, "True")).toBeEnabled();
}

/** The last call after the side was activated: exactly one more than before. A side takes no press until the call before is known. */
async function callBy(page: Page, calls: () => Promise<CallView[]>): Promise<CallView | undefined> {
  const before = (await calls()).length;
  const called = async () => (await calls()).length - before;
  await expect(async () => {
    await expect(sideOf(page)).toHaveAttribute("aria-disabled", "false");
    if ((await called()) === 0) await activate(page);
    await expect.poll(called, { timeout: CALLED_WITHIN_MS }).toBe(1);
  }).toPass();
  return (await calls()).toSorted((one, other) => one.id - other.id).at(-1);
}

async function expectRefused(page: Page, text: string, reason: string | RegExp): Promise<void> {
  const field = wagerIn(page);
  await expect(field).toHaveValue(text);
  await expect(field).toHaveAttribute("aria-invalid", "true");
  await expect(field).toHaveAccessibleDescription(reason);
  await expect(page.getByRole("alert").filter({ hasText: reason })).toBeVisible();
}

/** Gives the player of the devices enough for all amounts, and waits until the pages show it. */
async function giveMoney({ host, devices: pages }: BackToBackShow): Promise<void> {
  const { id } = await profileOf(pages[0]);
  const adjustment = { amount: 10_000, reason: "For the test" };
  await host("POST", `/api/v1/users/${id}/wallet/adjustments`, { adjustment });
  for (const page of pages)
    await expect(page.getByRole("link", { name: "Available $10,100.00" })).toBeVisible();
}
