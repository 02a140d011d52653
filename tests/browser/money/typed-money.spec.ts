import type { BlueprintEventView, BlueprintView } from "#src/show/blueprints/schemas.ts";
import { apiAs, desk, newPlayer, profileOf, signedIn } from "../players.ts";
import type { Api } from "../show-host.ts";
import { type Locator, type Page, expect, hydrated, test } from "../support/journey.ts";

const OPENED_WITHIN_MS = 2_000;

type BlueprintEventAnswer = { blueprintEvent: BlueprintEventView };

/** The field that can be seen: a closed dialog may have one of the same name. */
const field = (page: Page, label: string): Locator =>
  page.getByLabel(label).filter({ visible: true }).first();

test("all other forms with money read the same, and refuse beside the field", async () => {
  const host = await apiAs("admin");
  const { page: player } = await newPlayer("payer");
  const before = await profileOf(player);
  const open = async (page: Page, path: string) => {
    await page.goto(path);
    await hydrated(page);
  };

  await open(player, "/profile/wallet");
  // The first deposit asks for both.
  await player.getByLabel("I am 18 or older").check();
  await player.getByLabel("Your own limit for deposits").selectOption("No limit of my own");
  await refuseAmount(player, { label: "Amount in dollars", button: "Go to the checkout" });
  await field(player, "Amount in dollars").fill("$12,50");
  await player.getByRole("button", { name: "Go to the checkout" }).click();
  await player.getByRole("button", { name: "Pay $12.50" }).click();
  await expect(player.getByText("$12.50 is in your wallet.")).toBeVisible();

  const admin = await signedIn("admin", { viewport: desk });
  await open(admin, `/users/${before.id}`);
  await field(admin, "Reason").fill("Too much");
  await refuseAmount(admin, { label: "Amount in dollars", button: "Adjust" });
  await field(admin, "Amount in dollars").fill("-$1.00");
  await admin.getByRole("button", { name: "Adjust", exact: true }).click();
  const { wallet } = before;
  await expect.poll(() => availableOf(player)).toBe(wallet.availableBalanceCents + 1_250 - 100);

  await refund(admin);
  await expect.poll(() => availableOf(player)).toBe(wallet.availableBalanceCents + 1_250 - 100 - 250);
  const limited = await createLimited(host);
  await open(admin, `/blueprints/${limited.blueprintId}/edit?panel=${limited.id}`);
  await limitInBlueprint(admin, host, limited);
});

async function availableOf(page: Page): Promise<number> {
  return (await profileOf(page)).wallet.availableBalanceCents;
}

type AmountForm = { label: string; button: string };

/**
 * Sends a form with an amount that cannot be read: it is refused beside its field, and stays as it was typed. All that people type is in
 * tests/client/ui/money/typed-money.
 */
async function refuseAmount(page: Page, { label, button }: AmountForm): Promise<void> {
  await field(page, label).fill("1.000");
  await page.getByRole("button", { name: button, exact: true }).click();
  await expectWrong(page, label, "1.000");
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
