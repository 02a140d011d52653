import { type Page, expect, test } from "../support/journey.ts";
import { play } from "../support/one-phone-show.ts";
import { ask } from "../support/own-show.ts";
import { callSide, decide, goOn } from "../support/two-device-show.ts";

test("a skip is told after a reload as before it, and from another page too, and no older result comes back; the phone is awake while a question is open", async () => {
  const { page, show } = await play();
  const isAwake = await watchLocks(page);
  await callSide(show.player, show.open, "true");
  await callSide(show.opponent, show.open, "false");
  const won = await goOn(show);
  await decide(show, won, true);
  await callSide(show.player, show.open, "false");
  await expect(page.getByText(/^Placed \d/)).toBeVisible();
  await expect.poll(isAwake).toBe(true);
  const session = `/api/v1/sessions/${show.open.sessionId}`;
  await show.host("PUT", `${session}/pause`);
  await expect.poll(isAwake).toBe(false);
  await show.host("PUT", `${session}/resume`);
  await expect.poll(isAwake).toBe(true);
  await show.host("PUT", `/api/v1/events/${show.open.id}/skip`, { event: {} });
  const card = page.locator(".card");
  const expectTold = async () => {
    await expect(card.getByText("Skipped by the host.")).toBeVisible();
    await expect(card.getByText("$5.00 is back.")).toBeVisible();
    await expect(card.getByRole("heading", { name: show.open.title })).toBeVisible();
  };
  await expectTold();
  await expect.poll(isAwake).toBe(false);
  await page.reload();
  await expectTold();
  await page.getByRole("link", { name: "History", exact: true }).click();
  await expect(page).toHaveURL(/\/history$/);
  await page.goBack();
  await expectTold();
  // What is asked next takes the card, also after another reload.
  await ask(show.host, show.open.sessionId, "And now?");
  await expect(card.getByRole("heading", { name: "And now?" })).toBeVisible();
  await page.reload();
  await expect(card.getByRole("heading", { name: "And now?" })).toBeVisible();
  await expect(card.getByText("Skipped by the host.")).toHaveCount(0);
});

/** Loads the page again with locks of the screen that are counted. @returns whether it holds one. */
async function watchLocks(page: Page): Promise<() => Promise<unknown>> {
  await page.addInitScript(() => {
    const held = new Set<object>();
    const request = () => {
      const lock = { release: () => Promise.resolve(void held.delete(lock)) };
      held.add(lock);
      return Promise.resolve(lock);
    };
    Object.defineProperty(navigator, "wakeLock", { value: { request } });
    Object.defineProperty(globalThis, "locksHeld", { value: () => held.size });
  });
  await page.reload();
  await page.mouse.wheel(0, 1);
  return () => page.evaluate("locksHeld() > 0");
}
