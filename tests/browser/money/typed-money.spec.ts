import { expect, type Locator, type Page } from "playwright/test";
import type { BlueprintEventView, BlueprintView } from "#src/show/blueprints/schemas.ts";
import { desk, profileOf, signedIn } from "../players.ts";
import type { Api } from "../show-host.ts";
import { test } from "../support/journey.ts";
import { hydrated } from "../support/page.ts";
import { startBackToBack } from "../support/two-device-show.ts";

const OPENED_WITHIN_MS = 2_000;

type BlueprintEventAnswer = { blueprintEvent: BlueprintEventView };

/** The field that can be seen: a closed dialog may have one of the same name. */
const field = (page: Page, label: string): Locator =>
  page.getByLabel(label).filter({ visible: true }).first();

for (const javaScriptEnabled of [true, false]) {
  test(`all other forms with money read the same, and refuse beside the field, ${javaScriptEnabled ? "with" : "without"} script`, async ({
    browser,
    baseURL,
  }) => {
    const { host, devices } = await startBackToBack(browser, String(baseURL), [{}]);
    const [known] = devices;
    if (known === undefined) throw new Error("The player has no device.");
    const state = await known.context().storageState();
    const player = await (await browser.newContext({ storageState: state, javaScriptEnabled })).newPage();
    const before = await profileOf(known);
    const open = async (page: Page, path: string) => {
      await page.goto(path);
      if (javaScriptEnabled) await hydrated(page);
    };

    await open(player, "/profile/wallet");
    // The first deposit asks for both, in a part that comes after the page.
    await expect(player.getByText("Your spending")).toBeVisible();
    if ((await player.getByLabel("I am 18 or older").count()) > 0) {
      await player.getByLabel("I am 18 or older").check();
      await player.getByLabel("Your own limit for deposits").selectOption("No limit of my own");
    }
    await refuseAmounts(player, { label: "Amount in dollars", button: "Go to the checkout" });
    await field(player, "Amount in dollars").fill("$12,50");
    await player.getByRole("button", { name: "Go to the checkout" }).click();
    await player.getByRole("button", { name: "Pay $12.50" }).click();
    await expect(player.getByText("$12.50 is in your wallet.")).toBeVisible();

    const admin = await signedIn(browser, "admin", { javaScriptEnabled, viewport: desk });
    await open(admin, `/users/${before.id}`);
    await field(admin, "Reason").fill("Too much");
    await refuseAmounts(admin, { label: "Amount in dollars", button: "Adjust" });
    await field(admin, "Amount in dollars").fill("-$1.00");
    await admin.getByRole("button", { name: "Adjust", exact: true }).click();
    const { wallet } = before;
    await expect.poll(() => availableOf(known)).toBe(wallet.availableBalanceCents + 1_250 - 100);

    await refund(admin);
    await expect.poll(() => availableOf(known)).toBe(wallet.availableBalanceCents + 1_250 - 100 - 250);
    const limited = await createLimited(host);
    await open(admin, `/blueprints/${limited.blueprintId}/edit?panel=${limited.id}`);
    await limitInBlueprint(admin, host, limited);
  });
}

async function availableOf(page: Page): Promise<number> {
  return (await profileOf(page)).wallet.availableBalanceCents;
}

type AmountForm = { label: string; button: string };

/** Sends a form with amounts that cannot be read: each is refused beside its field, and stays as it was typed. */
async function refuseAmounts(page: Page, { label, button }: AmountForm): Promise<void> {
  for (const text of ["1.000", "2.555", "abc", "0"]) {
    await field(page, label).fill(text);
    await page.getByRole("button", { name: button, exact: true }).click();
    await expectWrong(page, label, text);
  }
}

async function expectWrong(page: Page, label: string, text: string): Promise<void> {
  const wrong = field(page, label);
  await expect(wrong).toHaveAttribute("aria-invalid", "true");
  await expect(wrong).toHaveValue(text);
  await expect(wrong).toHaveAccessibleDescription(
    /is not a number: type it|at most two digits|must be|can't be 0/,
  );
}

/** Refunds a part of the player's payment, after an amount that is refused in the same dialog. */
async function refund(admin: Page): Promise<void> {
  const dialog = admin.getByRole("alertdialog", { name: /^Refund the payment/ });
  // After a refusal the script opens it again by itself, perhaps in the moment of the press.
  const open = () =>
    expect(async () => {
      const button = admin.getByRole("button", { name: /^Refund the payment/ });
      if (!(await dialog.isVisible())) await button.click({ timeout: OPENED_WITHIN_MS });
      await expect(dialog).toBeVisible({ timeout: OPENED_WITHIN_MS });
    }).toPass();
  await open();
  await dialog.getByLabel("Amount in dollars").fill("2.555");
  await dialog.getByLabel("Reason").fill("It rained");
  await dialog.getByRole("button", { name: "Refund", exact: true }).click();
  await expect(admin.getByText(/^Validation failed: Amount can have at most two digits/)).toBeAttached();
  await open();
  await expect(dialog.getByLabel("Amount in dollars")).toHaveAttribute("aria-invalid", "true");
  await expect(dialog.getByLabel("Amount in dollars")).toHaveValue("2.555");
  await dialog.getByLabel("Amount in dollars").fill("$2.50");
  await dialog.getByRole("button", { name: "Refund", exact: true }).click();
  await expect(admin.getByText("Partly refunded")).toBeVisible();
}

/** A blueprint with an action. */
async function createLimited(host: Api): Promise<BlueprintEventView> {
  const { blueprint } = await host<{ blueprint: BlueprintView }>("POST", "/api/v1/blueprints", {
    blueprint: { name: `Limits ${Date.now()}` },
  });
  const created = await host<BlueprintEventAnswer>("POST", "/api/v1/blueprint_events", {
    blueprint_event: { blueprint_id: blueprint.id, title: "Small?" },
  });
  return created.blueprintEvent;
}

/** Limits the wagers of an action in the open editor. */
async function limitInBlueprint(admin: Page, host: Api, event: BlueprintEventView): Promise<void> {
  const limitsOf = async () => {
    const { blueprintEvent: saved } = await host<BlueprintEventAnswer>(
      "GET",
      `/api/v1/blueprint_events/${event.id}`,
    );
    return [saved.minWagerCents, saved.maxWagerCents];
  };
  await admin.getByText("Explanation, note, limits, description").click();
  await admin.getByLabel("Least wager, $").fill("1.000");
  await admin.getByLabel("Most per player, $").fill("abc");
  await admin.getByRole("button", { name: "Save", exact: true }).click();
  await expectWrong(admin, "Least wager, $", "1.000");
  await expectWrong(admin, "Most per player, $", "abc");
  expect(await limitsOf()).toEqual([1, null]);
  await admin.getByLabel("Least wager, $").fill("$2");
  await admin.getByLabel("Most per player, $").fill("1,250");
  await admin.getByRole("button", { name: "Save", exact: true }).click();
  await expect(admin.getByText("Saved.")).toBeVisible();
  expect(await limitsOf()).toEqual([200, 125_000]);
}
