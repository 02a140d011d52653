import { type Browser, expect, type Page } from "playwright/test";
import type { CallView } from "#src/calls/schemas.ts";
import { phone } from "./players.ts";
import { test } from "./support/journey.ts";
import { type BackToBackShow, callSide, decide, goOn, startBackToBack } from "./support/two-device-show.ts";

const HELD_REPEATS = 30;

type Play = { show: BackToBackShow; page: Page };

async function play(browser: Browser): Promise<Play> {
  const show = await startBackToBack(browser, test.info().project.use.baseURL ?? "", [{ viewport: phone }]);
  const [page] = show.devices;
  if (page === undefined) throw new Error("The player has a device.");
  return { show, page };
}

const side = (page: Page, name: "True" | "False") =>
  page.getByRole("radio", { name: new RegExp(`${name}\\.`) });
const slip = (page: Page) => page.locator(".card .mine");
const cancel = (page: Page) => page.getByRole("button", { name: "Cancel" });
const undo = (page: Page) => page.getByRole("button", { name: /^Undo/ });

/** The player's calls, with those that were taken back. */
async function callsOf({ show }: Play): Promise<{ placed: CallView[]; takenBack: CallView[] }> {
  const list = (state: string) =>
    show.player<{ calls: CallView[] }>("GET", `/api/v1/calls?state=${state}&per_page=100`);
  const [{ calls: placed }, { calls: takenBack }] = [await list("placed"), await list("soft_destroyed")];
  return { placed, takenBack };
}

/** The sides take a further call: the pause after one is over. */
async function ready(page: Page): Promise<void> {
  for (const name of ["True", "False"] as const) await expect(side(page, name)).toBeEnabled();
}

/** Holds a key down for about as long as a hand that rests on it. */
async function hold(page: Page, key: string): Promise<void> {
  for (let count = 0; count < HELD_REPEATS; count += 1) await page.keyboard.down(key);
  await page.keyboard.up(key);
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
    await expect(slip(page)).toContainText("True $1.00 →");
    await ready(page);
  }
  await hold(page, "Enter");
  expect((await callsOf(game)).placed).toHaveLength(1);

  await hold(page, " ");
  await expect(slip(page)).toContainText("True $2.00 →");
  await ready(page);
  expect((await callsOf(game)).placed).toHaveLength(2);

  await side(page, "False").dblclick();
  await expect.poll(async () => (await callsOf(game)).placed.length).toBe(3);
  await ready(page);
  expect((await callsOf(game)).placed).toHaveLength(3);
  // A press that is meant places another call.
  await side(page, "False").click();
  await expect.poll(async () => (await callsOf(game)).placed.length).toBe(4);
});

test("Backspace that is held down takes one call back, and so do two presses of Cancel", async ({
  browser,
}) => {
  const game = await play(browser);
  const { page, show } = game;
  for (let count = 0; count < 3; count += 1) await callSide(show.player, show.open, "true", 1);
  await expect(slip(page)).toContainText("True $3.00");
  await hold(page, "Backspace");
  await expect(undo(page)).toBeVisible();
  await expect(undo(page)).toBeHidden();
  await hold(page, "Backspace");
  await expect(undo(page)).toBeVisible();
  await expect(undo(page)).toBeHidden();
  expect((await callsOf(game)).takenBack).toHaveLength(2);
  await callSide(show.player, show.open, "true", 1);
  await expect(slip(page)).toContainText("True $2.00");
  await cancel(page).dblclick();
  await expect(undo(page)).toBeVisible();
  await expect(undo(page)).toBeHidden();
  const { placed, takenBack } = await callsOf(game);
  expect([placed.length, takenBack.length]).toEqual([1, 3]);
});

test("for five seconds a call that was taken back is placed again by Undo or Ctrl+Z, while its action is open", async ({
  browser,
}) => {
  const game = await play(browser);
  const { page, show } = game;
  await page.getByRole("button", { name: "$5", exact: true }).click();
  await side(page, "False").click();
  await expect(slip(page)).toContainText("False $5.00 →");
  await page.getByRole("button", { name: "$10", exact: true }).click();
  await cancel(page).press("Enter");
  await expect(slip(page)).toHaveText(/Undo\s*Taken back: False \$5\.00/);
  // The focus is not lost, and the next control is Undo.
  await expect(page.locator("#main")).toBeFocused();
  await expect(page.getByText("Undo is there for 5 seconds, or press Control Z.")).toBeAttached();
  await page.keyboard.press("Tab");
  await expect(undo(page)).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(slip(page)).toContainText("False $5.00 →");
  await expect(page.locator("#main")).toBeFocused();
  await expect
    .poll(async () => (await callsOf(game)).placed)
    .toMatchObject([{ side: "false", wagerCents: 500 }]);

  await ready(page);
  await page.keyboard.press("Backspace");
  await expect(undo(page)).toBeVisible();
  await page.keyboard.press("Control+z");
  await expect(slip(page)).toContainText("False $5.00 →");
  await page.keyboard.press("Control+z");
  await ready(page);
  expect((await callsOf(game)).placed).toHaveLength(1);

  // It is gone after its time, and so is the focus in it.
  await page.keyboard.press("Backspace");
  await undo(page).focus();
  await expect(undo(page)).toHaveCount(0);
  await expect(page.locator("#main")).toBeFocused();
  await expect(slip(page)).toContainText("No call yet");
  await page.keyboard.press("Control+z");

  // The next action has nothing to undo.
  await ready(page);
  await side(page, "False").click();
  await expect(slip(page)).toContainText("False $10.00 →");
  await cancel(page).click();
  await expect(undo(page)).toBeVisible();
  await goOn(show);
  await expect(undo(page)).toHaveCount(0);
  const { placed, takenBack } = await callsOf(game);
  expect([placed.length, takenBack.length]).toEqual([0, 4]);
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
  await expect(slip(page)).toContainText("False $1.00 →");
  expect((await callsOf(game)).placed).toHaveLength(1);
});

test("where the strip was closed or has gone, no press takes a call back for a moment", async ({
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
  if (box === null) throw new Error("The strip is in sight.");
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  // The press is meant for Close, which goes by itself at this moment.
  const pressed = page.evaluate(
    ([left = 0, top = 0]) =>
      new Promise<string>((resolve) => {
        const card = document.querySelector(".card-in");
        if (card === null) throw new Error("There is a card.");
        const look = () => {
          if (card.querySelector(".told") !== null) return;
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

test("a call whose answers and messages are lost is being checked until it was looked up, and no other one is sent", async ({
  browser,
}) => {
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
  await expect(slip(page)).toContainText("True $1.00 →");
  await expect(page.getByText("Checking...")).toBeHidden();
  await expect(held).toBeVisible();
  expect(keys.size).toBe(1);
  expect((await callsOf(game)).placed).toHaveLength(1);
});
