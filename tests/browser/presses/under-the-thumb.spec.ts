import { expect, type Page } from "playwright/test";
import { test } from "../support/journey.ts";
import {
  callsOf,
  cancel,
  expectCalls,
  play,
  ready,
  side,
  slip,
  undo,
  watchAlerts,
} from "../support/one-phone-show.ts";
import { callSide, decide, goOn } from "../support/two-device-show.ts";

const READ_FIRST = "New question. Read it first.";

test("a question that comes by itself takes no press before anybody can have read it, and says so", async ({
  browser,
}) => {
  const game = await play(browser);
  const { page, show } = game;
  const isTold = await watchAlerts(page, READ_FIRST);
  // The press comes with the question.
  await page.evaluate(() => {
    const question = document.querySelector(".card-q");
    if (question === null) throw new Error("The card has a question.");
    const press = () => document.querySelector<HTMLElement>(".side.true")?.click();
    new MutationObserver(press).observe(question, { childList: true, characterData: true, subtree: true });
  });
  await goOn(show);
  await isTold();
  await ready(page);
  await expect(page.getByRole("alert").filter({ hasText: READ_FIRST })).toBeHidden();
  expect((await callsOf(game)).placed).toEqual([]);
  await side(page, "False").click();
  await expect(slip(page)).toContainText("False $1.00");
});

test("a press that began before the question changed does not call the new one", async ({ browser }) => {
  const game = await play(browser);
  const { page, show } = game;
  const box = await side(page, "False").boundingBox();
  if (box === null) throw new Error("The side is in sight.");
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  await page.mouse.down();
  await goOn(show);
  await ready(page);
  const isTold = await watchAlerts(page, READ_FIRST);
  await page.mouse.up();
  await isTold();
  await page.mouse.down();
  await page.mouse.up();
  await expect(slip(page)).toContainText("False $1.00");
  await expectCalls(game, { placed: 1 });
});

test("where the result bar was closed or has gone, no press takes a call back for a moment", async ({
  browser,
}) => {
  const game = await play(browser);
  const { page, show } = game;
  await callSide(show.player, show.open, "true");
  await callSide(show.opponent, show.open, "false");
  const closed = await goOn(show);
  await callSide(show.player, show.open, "true");
  await expect(cancel(page)).toBeVisible();
  const pressed = pressWhereCloseGoes(page);
  await decide(show, closed, true);
  const { words, x, y } = await pressed;
  expect(words).toBe("Cancel");
  expect((await callsOf(game)).takenBack).toEqual([]);
  // A moment later it is what can be seen.
  await expect(async () => {
    await page.mouse.click(x, y);
    await expect(undo(page)).toBeVisible({ timeout: 500 });
  }).toPass();
});

/** Presses in the middle of Close, in the moment in which the result bar comes and goes by itself. @returns what was pressed, and where. */
function pressWhereCloseGoes(page: Page): Promise<{ words: string; x: number; y: number }> {
  return page.evaluate(
    () =>
      new Promise((resolve) => {
        const card = document.querySelector(".card-in");
        if (card === null) throw new Error("There is a card.");
        let box: DOMRect | undefined;
        const measure = (close: Element) => {
          if (!close.isConnected) return;
          box = close.getBoundingClientRect();
          requestAnimationFrame(() => measure(close));
        };
        const look = () => {
          const close = card.querySelector('.announced button[aria-label="Close this result"]');
          if (close !== null) return measure(close);
          if (box === undefined) return;
          const [x, y] = [box.left + box.width / 2, box.top + box.height / 2];
          const under = document.elementFromPoint(x, y);
          const press = { clientX: x, clientY: y, detail: 1, bubbles: true, cancelable: true };
          under?.dispatchEvent(new MouseEvent("click", press));
          resolve({ words: under?.textContent ?? "", x, y });
        };
        new MutationObserver(look).observe(card, { childList: true });
      }),
  );
}
