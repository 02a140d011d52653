import { expect } from "playwright/test";
import { test } from "../support/journey.ts";
import { callsOf, cancel, expectCalls, play, ready, side, slip, undo } from "../support/one-phone-show.ts";
import { callSide, decide, goOn } from "../support/two-device-show.ts";

test("a question that comes by itself takes no press before anybody can have read it, and says so", async ({
  browser,
}) => {
  const game = await play(browser);
  const { page, show } = game;
  const words = page.getByRole("alert").filter({ hasText: "New question. Read it first." });
  // The press comes with the question.
  await page.evaluate(() => {
    const question = document.querySelector(".card-q");
    if (question === null) throw new Error("The card has a question.");
    const press = () => document.querySelector<HTMLElement>(".side.true")?.click();
    new MutationObserver(press).observe(question, { childList: true, characterData: true, subtree: true });
  });
  await goOn(show);
  await expect(words).toBeVisible();
  await ready(page);
  await expect(words).toBeHidden();
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
  await page.mouse.up();
  await expect(page.getByRole("alert").filter({ hasText: "New question. Read it first." })).toBeVisible();
  await page.mouse.down();
  await page.mouse.up();
  await expect(slip(page)).toContainText("False $1.00 ");
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
  await decide(show, closed, true);
  const close = page.getByRole("button", { name: "Close this result" });
  await expect(close).toBeVisible();
  const box = await close.boundingBox();
  if (box === null) throw new Error("The result bar is in sight.");
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  // The press is meant for Close, which goes by itself at this moment.
  const pressed = page.evaluate(
    ([left = 0, top = 0]) =>
      new Promise<string>((resolve) => {
        const card = document.querySelector(".card-in");
        if (card === null) throw new Error("There is a card.");
        const look = () => {
          if (card.querySelector(".announced") !== null) return;
          const under = document.elementFromPoint(left, top);
          under?.dispatchEvent(
            new MouseEvent("click", {
              clientX: left,
              clientY: top,
              detail: 1,
              bubbles: true,
              cancelable: true,
            }),
          );
          resolve(under?.textContent ?? "");
        };
        new MutationObserver(look).observe(card, { childList: true });
      }),
    [x, y],
  );
  expect(await pressed).toBe("Cancel");
  expect((await callsOf(game)).takenBack).toEqual([]);
  // A moment later it is what can be seen.
  await expect(async () => {
    await page.mouse.click(x, y);
    await expect(undo(page)).toBeVisible({ timeout: 500 });
  }).toPass();
});
