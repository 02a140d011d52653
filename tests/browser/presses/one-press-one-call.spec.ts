import { withoutScript } from "../players.ts";
import { expect, hold, keepDown, test } from "../support/journey.ts";
import { cancel, expectCalls, placed, play, side, slip, undo } from "../support/one-phone-show.ts";
import { takeOneBack } from "../support/take-back.ts";
import { callSide } from "../support/two-device-show.ts";

test("a key that is held down on a side places one call and takes one back, and so do two presses at once", async () => {
  const game = await play();
  const { page, show } = game;
  await side(page, "True").focus();
  // Over two seconds, which is longer than the pause after a call.
  for (let round = 0; round < 2; round += 1) {
    await keepDown(page, "Enter");
    await placed(page, "True $1.00");
  }
  await hold(page, "Enter");
  await expectCalls(game, { placed: 1 });

  await side(page, "False").dblclick();
  await placed(page, "False$1.00");
  await expectCalls(game, { placed: 2 });

  await callSide(show.player, show.open, "true", 1);
  await expect(slip(page)).toContainText("True$2.00");
  await takeOneBack(page, () => hold(page, "Backspace"));
  await expectCalls(game, { placed: 2, takenBack: 1 });
  // For five seconds Undo is there instead of Cancel.
  await expect(undo(page)).toBeHidden();
  await takeOneBack(page, () => cancel(page).dblclick());
  await expectCalls(game, { placed: 1, takenBack: 2 });
});

const CALLED = "You have called it. The small button adds to it.";

test("a side that is called takes no second call by a press or a key, and says where one is added: by a button of its own", async () => {
  const game = await play();
  const { page } = game;
  const add = page.getByRole("button", { name: /^Called\. Add \$1\? True$/ });
  await expect(add).toHaveCount(0);
  await side(page, "True").click();
  await placed(page, "True $1.00");
  await expect(side(page, "True")).toHaveAccessibleName("You think True. You have called it.");

  await test.step("neither a press nor the keys 1, Enter and the space bar add to it", async () => {
    const told = page.getByRole("status").filter({ hasText: CALLED });
    for (const press of [
      () => side(page, "True").click({ position: { x: 40, y: 20 } }),
      () => page.keyboard.press("Enter"),
      () => page.keyboard.press(" "),
    ]) {
      await page.keyboard.press("1");
      await expect(side(page, "True")).toBeFocused();
      await press();
      await expect(told.first()).toBeVisible();
    }
    await expectCalls(game, { placed: 1 });
  });

  await test.step("the button after it does, by a press and by the keyboard, with the amount that is chosen", async () => {
    await expect(add).toBeEnabled();
    await add.click();
    await placed(page, "True $2.00");
    await page.getByRole("button", { name: "$5", exact: true }).click();
    await page.keyboard.press("1");
    await page.keyboard.press("Tab");
    await expect(page.getByRole("button", { name: /^Called\. Add \$5\? True$/ })).toBeFocused();
    await page.keyboard.press("Enter");
    await placed(page, "True $7.00");
    await expectCalls(game, { placed: 3 });
  });

  await test.step("the other side is called by a press, and without JavaScript it is the same", async () => {
    const plain = await withoutScript(page);
    await plain.goto(page.url());
    await side(plain, "True").click();
    await expect(plain).toHaveURL(page.url());
    await expectCalls(game, { placed: 3 });
    await plain.getByRole("button", { name: /^Called\. Add .* True$/ }).click();
    await expectCalls(game, { placed: 4 });
    await side(plain, "False").click();
    await expectCalls(game, { placed: 5 });
  });
});

test("arrows change the wager on the sides and in the amount row, and scroll elsewhere", async () => {
  const { page } = await play();
  await page.setViewportSize({ width: 320, height: 256 });
  const amount = page.getByLabel("Wager in dollars");
  const scrolled = () => page.evaluate(() => scrollY);
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowDown");
  await expect.poll(scrolled).toBeGreaterThan(0);
  await expect(async () => {
    await page.keyboard.press("ArrowUp");
    expect(await scrolled()).toBe(0);
  }).toPass();
  await expect(amount).toHaveValue("1");

  await side(page, "True").focus();
  await page.keyboard.press("ArrowUp");
  await expect(amount).toHaveValue("2");
  await expect(page.getByText("Wager $2.00.")).toBeAttached();
  await amount.focus();
  await page.keyboard.press("ArrowUp");
  await expect(amount).toHaveValue("3");
  await expect(page.getByText("Wager $3.00.")).toBeAttached();
  await page.getByRole("button", { name: "Max" }).focus();
  await page.keyboard.press("ArrowDown");
  await expect(page.getByText("Wager $2.00.")).toBeAttached();
});
