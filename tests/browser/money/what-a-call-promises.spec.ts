import { expect, type Page } from "playwright/test";
import { test } from "../support/journey.ts";
import { cancel, placed, play, ready, side, slip } from "../support/one-phone-show.ts";
import { takeOneBack } from "../support/take-back.ts";
import { callSide } from "../support/two-device-show.ts";

/** Puts the page's websocket behind a switch that keeps back what the session says. What is said to the player alone passes. */
async function holdable(page: Page) {
  const held: (() => void)[] = [];
  let isHeld = false;
  await page.routeWebSocket(/\/cable$/, (socket) => {
    const server = socket.connectToServer();
    socket.onMessage((frame) => server.send(frame));
    server.onMessage((frame) => {
      const send = () => socket.send(frame);
      if (isHeld && String(frame).includes("SessionsChannel")) held.push(send);
      else send();
    });
  });
  return {
    hold: () => {
      isHeld = true;
    },
    release: () => {
      isHeld = false;
      for (const send of held.splice(0)) send();
    },
  };
}

test("from the answer on a call is in the pool that its promise is made of, however late the pool comes", async ({
  browser,
}) => {
  const { page, show } = await play(browser);
  await callSide(show.opponent, show.open, "true", 2);
  await callSide(show.opponent, show.open, "false", 10);
  const line = await holdable(page);
  await page.reload();
  await ready(page);
  await expect(page.locator(".facts")).toContainText("$12");

  line.hold();
  await page.getByRole("button", { name: "$5", exact: true }).click();
  await side(page, "True").click();
  await placed(page, "True $5.00");
  // 5 of 7 parts of $17.00.
  const isTrue = async () => {
    await expect(slip(page)).toContainText("could pay $12.14");
    await expect(page.locator(".facts")).toContainText("$17");
    await expect(side(page, "True")).toContainText("$18.33");
  };
  await isTrue();
  line.release();
  await isTrue();

  line.hold();
  await takeOneBack(page, () => cancel(page).click());
  await expect(page.locator(".facts")).toContainText("$12");
  await expect(side(page, "False")).toContainText("$5.66");
  line.release();
  await expect(side(page, "False")).toContainText("$5.66");
});

test("a player who has wagered all is offered nothing more, until there is money again", async ({
  browser,
}) => {
  const { page, show } = await play(browser);
  await callSide(show.opponent, show.open, "false", 10);
  await expect(page.locator(".facts")).toContainText("$10");
  await page.getByRole("button", { name: "Max", exact: true }).click();
  await side(page, "True").click();
  await placed(page, "True $100.00");
  for (const name of ["True", "False"] as const) {
    await expect(side(page, name)).toContainText("Nothing left to wager");
    await expect(side(page, name)).toBeDisabled();
  }
  await expect(page.getByRole("textbox", { name: "Wager in dollars" })).toHaveValue("1");
  await takeOneBack(page, () => cancel(page).click());
  for (const name of ["True", "False"] as const)
    await expect(side(page, name)).not.toContainText("Nothing left");
  await expect(side(page, "True")).toBeEnabled();
});
