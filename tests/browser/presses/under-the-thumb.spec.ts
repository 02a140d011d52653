import { type Page, expect, test } from "../support/journey.ts";
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
import { change } from "../support/own-show.ts";
import { callSide, decide, goOn } from "../support/two-device-show.ts";

const READ_FIRST = "New question. Read it first.";

test("a question that comes by itself takes no press before it can be read, nor one that began before; and no focus is lost", async () => {
  const game = await play();
  const { page, show } = game;
  await test.step("a press that comes with the question", async () => {
    const isTold = await watchAlerts(page, READ_FIRST);
    // The toast has the focus for as long as it is there, and gives it back.
    const rank = page.getByRole("link", { name: /Ranks|My rank/ });
    await rank.focus();
    await pressWithQuestion(page);
    await goOn(show);
    await isTold();
    await expect(page.locator("body")).toHaveAttribute("data-focused", /Read it first/);
    await expect(page.getByRole("alert").filter({ hasText: READ_FIRST })).toHaveCount(0);
    await expect(rank).toBeFocused();
    await ready(page);
    expect((await callsOf(game)).placed).toEqual([]);
  });
  await test.step("a press that began before the question changed", async () => {
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
  await test.step("the next question has nothing to cancel, and at the close plus is disabled", async () => {
    await cancel(page).focus();
    await goOn(show);
    await expect(cancel(page)).toHaveCount(0);
    await expect.poll(() => isFocusKept(page)).toBe(true);
    const more = page.getByRole("button", { name: "More" });
    await more.focus();
    await change(show.host, show.open, { state_event: "close_event" });
    await expect(more).toBeDisabled();
    await expect.poll(() => isFocusKept(page)).toBe(true);
  });
});

/** The focus is on something, and not at the top of the page. */
const isFocusKept = (page: Page) => page.evaluate(() => document.activeElement !== document.body);

/** Presses a side in the moment in which the next question comes, and gives the toast about it the focus, which is there for five seconds. */
async function pressWithQuestion(page: Page): Promise<void> {
  await page.evaluate(() => {
    const question = document.querySelector(".card-q");
    if (question === null) throw new Error("The card has a question.");
    const press = new MutationObserver(() => {
      press.disconnect();
      document.querySelector<HTMLElement>(".side.true")?.click();
    });
    press.observe(question, { childList: true, characterData: true, subtree: true });
    const focus = new MutationObserver(() => {
      const close = document.querySelector<HTMLElement>('.toasts [role="alert"] button');
      if (close === null) return;
      focus.disconnect();
      close.focus();
      document.body.dataset["focused"] = document.activeElement?.closest("[role]")?.textContent ?? "";
    });
    focus.observe(document.body, { childList: true, subtree: true });
  });
}

test("where the result bar was closed or has gone, no press takes a call back for a moment", async () => {
  const game = await play();
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
