import { expect, type Page } from "playwright/test";
import { PROOF, test } from "../support/journey.ts";
import { cancel, expectCalls, placed, play, side, slip, undo } from "../support/one-phone-show.ts";
import { takeOneBack } from "../support/take-back.ts";
import { callSide } from "../support/two-device-show.ts";

const HELD_REPEATS = 30;

/** Holds a key down for about as long as a hand that rests on it. */
async function hold(page: Page, key: string): Promise<void> {
  for (let count = 0; count < HELD_REPEATS; count += 1) await page.keyboard.down(key);
  await page.keyboard.up(key);
}

/** Takes one call back, and waits until the next call can be taken back: for five seconds Undo is there instead. */
async function takeBack(page: Page, act: () => Promise<void>): Promise<void> {
  await takeOneBack(page, act);
  await expect(cancel(page)).toBeVisible();
  await expect(undo(page)).toBeHidden();
}

test("a key that is held down on a side places one call, and two presses at once place one", async ({
  browser,
}) => {
  const game = await play(browser);
  const { page } = game;
  await side(page, "True").focus();
  // Over two seconds, which is longer than the pause after a call.
  for (let round = 0; round < 2; round += 1) {
    for (let count = 0; count < HELD_REPEATS; count += 1) await page.keyboard.down("Enter");
    await placed(page, "True $1.00");
  }
  await hold(page, "Enter");
  await expectCalls(game, { placed: 1 });

  await hold(page, " ");
  await placed(page, "True $2.00");
  await expectCalls(game, { placed: 2 });

  await side(page, "False").dblclick();
  await placed(page, "False$1.00");
  await expectCalls(game, { placed: 3 });
  // A press that is meant places another call.
  await side(page, "False").click();
  await expectCalls(game, { placed: 4 });
});

test("Backspace that is held down takes one call back, and so do two presses of Cancel", async ({
  browser,
}) => {
  const game = await play(browser);
  const { page, show } = game;
  for (let count = 0; count < 3; count += 1) await callSide(show.player, show.open, "true", 1);
  await expect(slip(page)).toContainText("True $3.00");
  await takeBack(page, () => hold(page, "Backspace"));
  await takeBack(page, () => hold(page, "Backspace"));
  await expectCalls(game, { takenBack: 2 });
  await callSide(show.player, show.open, "true", 1);
  await expect(slip(page)).toContainText("True $2.00");
  await takeBack(page, () => cancel(page).dblclick());
  await expectCalls(game, { placed: 1, takenBack: 3 });
});

test("arrows change the wager on the sides and in the amount row, and scroll elsewhere", async ({
  browser,
}) => {
  const { page } = await play(browser);
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

test(
  "a call whose answers and messages are lost is being checked until it was looked up, and no other one is sent",
  { tag: PROOF },
  async ({ browser }) => {
    const game = await play(browser);
    const { page } = game;
    let isAway = false;
    const keys = new Set<string | undefined>();
    let lookUps = 0;
    await page.routeWebSocket(/\/cable$/, (socket) => {
      const server = socket.connectToServer();
      server.onMessage((message) => {
        if (!isAway || message.includes('"ping"')) socket.send(message);
      });
    });
    await page.route(/\/api\/v1\/calls(\?|$)/, async (route) => {
      const request = route.request();
      if (request.method() === "POST") {
        keys.add(request.headers()["idempotency-key"]);
        // The server has it, and its answer is lost.
        await route.fetch();
        return route.abort();
      }
      lookUps += 1;
      return isAway ? route.abort() : route.continue();
    });
    await page.reload();
    await page.locator("#root[data-hydrated]").waitFor();
    isAway = true;
    await side(page, "True").click();
    await expect.poll(() => lookUps).toBeGreaterThan(1);
    const held = page.getByRole("link", { name: "Available $99.00" });
    await expect(page.getByText("Checking...")).toBeVisible();
    await expect(held).toBeVisible();
    await side(page, "False").click();
    await expect(page.getByRole("alert").filter({ hasText: "still being checked" })).toBeVisible();

    // It is still checked after the screen was left and opened again.
    await page.getByRole("link", { name: "History", exact: true }).click();
    await expect(page).toHaveURL(/\/history$/);
    await page.goBack();
    await expect(page.getByText("Checking...")).toBeVisible();
    await side(page, "False").click();
    isAway = false;
    await expect(slip(page)).toContainText("True $1.00");
    await expect(page.getByText("Checking...")).toBeHidden();
    await expect(held).toBeVisible();
    expect(keys.size).toBe(1);
    await expectCalls(game, { placed: 1 });
  },
);
