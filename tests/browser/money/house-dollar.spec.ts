import { type Page, expect, test } from "../support/journey.ts";
import { placed, play, ready, side } from "../support/one-phone-show.ts";
import { callSide, decide, goOn } from "../support/two-device-show.ts";

/** Not the result that lies over it for a while. */
const slip = (page: Page) => page.locator(".card .mine:not(.announced)");
const amount = (page: Page) => page.getByRole("textbox", { name: "Wager in dollars" });
const chip = (page: Page, label: string) => page.getByRole("button", { name: label, exact: true });

test("a player without money calls each question on the house, and tops up where the host has switched that off", async () => {
  const { page, show } = await play();
  // All is lost, with a larger amount in the field than the house gives.
  await chip(page, "$5").click();
  await callSide(show.player, show.open, "true", 100);
  await callSide(show.opponent, show.open, "false");
  await decide(show, await goOn(show), false);
  await ready(page);
  await expect(slip(page)).toContainText("It's on the house.");
  await expect(amount(page)).toHaveValue("1");
  await expect(chip(page, "$5")).toBeDisabled();
  await expect(page.getByRole("button", { name: "Top up to $10" })).toBeVisible();

  const balances = page.locator(".balance");
  await page.evaluate(() => {
    const look = () => {
      const text = document.querySelector(".balance")?.textContent ?? "";
      if (text.includes("-")) document.body.dataset["debt"] = text;
    };
    new MutationObserver(look).observe(document.body, {
      subtree: true,
      childList: true,
      characterData: true,
    });
  });
  await side(page, "True").click();
  await placed(page, "True $1.00");
  await expect(balances).toHaveText("$0.00");
  await callSide(show.opponent, show.open, "false");
  await decide(show, await goOn(show), false);
  // The house gives nothing until the page knows that the call before has lost.
  await expect(slip(page)).toContainText("It's on the house.");
  await ready(page);
  await side(page, "False").click();
  await placed(page, "False $1.00");
  expect(await page.evaluate(() => document.body.dataset["debt"] ?? "")).toBe("");

  // A win is the player's own.
  await callSide(show.opponent, show.open, "true");
  await decide(show, await goOn(show), false);
  await expect(balances).toHaveText("$6.00");
  await expect(slip(page)).not.toContainText("on the house");

  // Where the host has switched it off, who has lost all tops up.
  const settings = { house_dollar: false };
  await show.host("PATCH", `/api/v1/sessions/${show.open.sessionId}`, { session: { settings } });
  await callSide(show.player, show.open, "true", 6);
  await callSide(show.opponent, show.open, "false");
  await decide(show, await goOn(show), false);
  await expect(slip(page)).toContainText("Your play money is used up.");
  await expect(page.getByRole("button", { name: "Top up to $10" })).toBeVisible();
});
