import { type Page, expect, hydrated, stopClock, test } from "../support/journey.ts";
import {
  callsOf,
  cancel,
  expectCalls,
  placed,
  type Play,
  play,
  ready,
  side,
  slip,
  undo,
} from "../support/one-phone-show.ts";
import { goOn } from "../support/two-device-show.ts";

const UNDO_MS = 5_000;

test("for five seconds a call that was taken back is placed again by Undo or Ctrl+Z, while its action is open", async () => {
  const game = await play();
  const { page, show } = game;
  await withOwnClock(game);
  await page.getByRole("button", { name: "$5", exact: true }).click();
  await side(page, "False").click();
  await placed(page, "False $5.00");
  await page.getByRole("button", { name: "$10", exact: true }).click();
  await stopClock(page);
  await cancel(page).press("Enter");
  await expect(slip(page)).toHaveText(/Undo\s*Taken back: False \$5\.00/);
  // The focus is not lost, and the next control is Undo.
  await expect(page.locator("#main")).toBeFocused();
  await expect(page.getByText("Undo is there for 5 seconds, or press Control Z.")).toBeAttached();
  await page.keyboard.press("Tab");
  await expect(undo(page)).toBeFocused();
  await page.keyboard.press("Enter");
  await page.clock.resume();
  await placed(page, "False $5.00");
  await expect(page.locator("#main")).toBeFocused();
  await expect
    .poll(async () => (await callsOf(game)).placed)
    .toMatchObject([{ side: "false", wagerCents: 500 }]);

  await stopClock(page);
  await page.keyboard.press("Backspace");
  await expect(undo(page)).toBeVisible();
  await page.keyboard.press("Control+z");
  await page.clock.resume();
  await placed(page, "False $5.00");
  await page.keyboard.press("Control+z");
  await expectCalls(game, { placed: 1 });

  await expectGoneInTime(page);

  // The next action has nothing to undo.
  await ready(page);
  await side(page, "False").click();
  await placed(page, "False $10.00");
  await stopClock(page);
  await cancel(page).click();
  await expect(undo(page)).toBeVisible();
  await page.clock.resume();
  await goOn(show);
  await expect(undo(page)).toHaveCount(0);
  await expectCalls(game, { placed: 0, takenBack: 4 });
});

/** Gives the page a clock that can be stopped. */
async function withOwnClock({ page }: Play): Promise<void> {
  await page.clock.install();
  await page.reload();
  await hydrated(page);
}

/** It is gone after its time, and so is the focus in it. */
async function expectGoneInTime(page: Page): Promise<void> {
  await stopClock(page);
  await page.keyboard.press("Backspace");
  await undo(page).focus();
  await page.clock.runFor(UNDO_MS);
  await expect(undo(page)).toHaveCount(0);
  await expect(page.locator("#main")).toBeFocused();
  await expect(slip(page)).toContainText(/First call|Tap a side/);
  await page.keyboard.press("Control+z");
  await page.clock.resume();
}
