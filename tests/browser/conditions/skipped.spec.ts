import { expect } from "playwright/test";
import { test } from "../support/journey.ts";
import { play } from "../support/one-phone-show.ts";
import { callSide, decide, goOn } from "../support/two-device-show.ts";

test("a skip is told after a reload as before it, and from another page too, and no older result comes back", async ({
  browser,
}) => {
  const { page, show } = await play(browser);
  await callSide(show.player, show.open, "true");
  await callSide(show.opponent, show.open, "false");
  const won = await goOn(show);
  await decide(show, won, true);
  await callSide(show.player, show.open, "false");
  await expect(page.getByText(/^Placed \d/)).toBeVisible();
  await show.host("PUT", `/api/v1/events/${show.open.id}/skip`, { event: {} });
  const card = page.locator(".card");
  const expectTold = async () => {
    await expect(card.getByText("Skipped by the host.")).toBeVisible();
    await expect(card.getByText("$5.00 is back.")).toBeVisible();
    await expect(card.getByRole("heading", { name: show.open.title })).toBeVisible();
  };
  await expectTold();
  await page.reload();
  await expectTold();
  await page.getByRole("link", { name: "History", exact: true }).click();
  await expect(page).toHaveURL(/\/history$/);
  await page.goBack();
  await expectTold();
  // What is asked next takes the card, also after another reload.
  const event = { session_id: show.open.sessionId, title: "And now?", duration_seconds: 600, ask: true };
  await show.host("POST", "/api/v1/events", { event });
  await expect(card.getByRole("heading", { name: "And now?" })).toBeVisible();
  await page.reload();
  await expect(card.getByRole("heading", { name: "And now?" })).toBeVisible();
  await expect(card.getByText("Skipped by the host.")).toHaveCount(0);
});
