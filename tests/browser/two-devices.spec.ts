import { expect, type Page, type WebSocketRoute } from "playwright/test";
import { anotherDevice, desk, newPlayer, signedInAt, withoutScript } from "./players.ts";
import { hydrated, openLive, test } from "./support/journey.ts";
import { side, slip } from "./support/one-phone-show.ts";
import { takeOneBack } from "./support/take-back.ts";
import { callSide, type OpenShow, startShow } from "./support/two-device-show.ts";

/** Opens the session's Action screen. */
async function play(device: Page, { path }: OpenShow): Promise<void> {
  await openLive(device, path);
  await expect(device.getByRole("heading", { name: "Will it rain?" })).toBeVisible();
}

function cancelNewest(device: Page): Promise<void> {
  return takeOneBack(device, () => device.getByRole("button", { name: "Cancel" }).click());
}

/** What every device shows: the marked side, the row with the viewer's calls, and what can be wagered. */
async function expectCalls(
  devices: readonly Page[],
  expected: { marked: "True" | "False" | null; slip: string | RegExp; available: string },
): Promise<void> {
  for (const device of devices) {
    await expect(slip(device)).toContainText(expected.slip);
    for (const name of ["True", "False"] as const)
      await expect(side(device, name)).toBeChecked({ checked: name === expected.marked });
    await expect(device.getByRole("link", { name: `Available ${expected.available}` })).toBeVisible();
  }
}

/** Puts a page's websocket behind a switch. */
async function switchable(device: Page) {
  const sockets: WebSocketRoute[] = [];
  let isDown = false;
  await device.routeWebSocket(/\/cable$/, (socket) => {
    if (isDown) return void socket.close();
    socket.connectToServer();
    sockets.push(socket);
  });
  return {
    cut: async () => {
      isDown = true;
      for (const socket of sockets) await socket.close();
    },
    restore: () => {
      isDown = false;
    },
  };
}

function countLoads(device: Page): () => number {
  let loads = 0;
  device.on("request", (request) => {
    if (request.isNavigationRequest()) loads += 1;
  });
  return () => loads;
}

test("two devices of a player agree on calls that either of them, a form without JavaScript or the host changes", async () => {
  const show = await startShow("Two devices", "Will it rain?");
  const player = await newPlayer("devices");
  const { page: handheld } = player;
  const desktop = await anotherDevice(player, { viewport: desk });
  const plain = await withoutScript(handheld);
  const line = await switchable(handheld);
  const both = [handheld, desktop];
  for (const device of both) await play(device, show);
  const loads = both.map(countLoads);
  const rail = desktop.getByRole("complementary", { name: "My session" });
  await expectCalls(both, { marked: null, slip: /First call|Tap a side/, available: "$100.00" });

  await side(handheld, "True").click();
  await expectCalls(both, { marked: "True", slip: "True $1.00", available: "$99.00" });
  await expect(rail.getByRole("listitem").filter({ hasText: "Will it rain?" })).toHaveCount(1);

  await cancelNewest(desktop);
  await expectCalls(both, { marked: null, slip: /First call|Tap a side/, available: "$100.00" });
  await expect(rail.getByText("What you call appears here.")).toBeVisible();

  await line.cut();
  await expect(handheld.getByText("Reconnecting", { exact: true })).toBeVisible();
  await side(desktop, "False").click();
  await expectCalls([desktop], { marked: "False", slip: "False $1.00", available: "$99.00" });
  line.restore();
  await expectCalls(both, { marked: "False", slip: "False $1.00", available: "$99.00" });

  await plain.goto(show.path);
  await plain.getByRole("button", { name: /^Called\. Add/ }).click();
  await expect(plain.getByText(/Placed \d+:\d\d:\d\d/)).toBeVisible();
  await expectCalls(both, { marked: "False", slip: "False $2.00", available: "$98.00" });

  await show.host("PUT", `/api/v1/sessions/${show.session.slug}/pause`);
  for (const device of both)
    await expect(device.locator(".card").getByText("Paused by the host.")).toBeVisible();
  await cancelNewest(handheld);
  await expectCalls(both, { marked: "False", slip: "False $1.00", available: "$99.00" });

  await show.host("PUT", `/api/v1/events/${show.open.id}/skip`, { event: { reason: "Nobody can tell." } });
  for (const device of both) {
    await expect(device.getByRole("heading", { name: "Will it rain?" })).toBeHidden();
    await expect(device.getByRole("link", { name: "Available $100.00" })).toBeVisible();
  }
  await expect(rail.getByText("What you call appears here.")).toBeVisible();
  expect(loads.map((count) => count())).toEqual([0, 0]);
});

test("the history, a receipt and the wallet on one device follow what the player does on another", async () => {
  const show = await startShow("Two devices", "Will it rain?");
  const player = await newPlayer("devices");
  const { page: handheld } = player;
  const history = await anotherDevice(player, { viewport: desk });
  const wallet = await anotherDevice(player, { viewport: desk });
  await play(handheld, show);
  await history.goto(`${show.path}/history`);
  await wallet.goto("/profile/wallet");
  for (const device of [history, wallet]) await hydrated(device);
  const amount = wallet.getByLabel("Amount in dollars");
  await amount.fill("33");
  await expect(history.getByText("You have not called anything here yet")).toBeVisible();

  await side(handheld, "True").click();
  // The bar that leads back to the show names the question too.
  const calls = history.getByRole("main").getByRole("link", { name: "Will it rain?" });
  await calls.click();
  const receipt = history.getByRole("article", { name: "Receipt" });
  await expect(receipt.getByText("Placed", { exact: true })).toBeVisible();
  const moved = (kind: string) => wallet.getByRole("row", { name: new RegExp(`^${kind}`) });
  await expect(moved("Wager")).toHaveCount(1);
  await expect(wallet.getByRole("link", { name: "Available $99.00" })).toBeVisible();

  await side(handheld, "False").click();
  await expect(calls).toHaveCount(2);
  await expect(moved("Wager")).toHaveCount(2);

  await show.host("PUT", `/api/v1/events/${show.open.id}/skip`, { event: { reason: "Nobody can tell." } });
  await expect(receipt).toContainText("Refunded");
  await expect(moved("Refund")).toHaveCount(2);
  await expect(wallet.getByRole("link", { name: "Available $100.00" })).toBeVisible();
  // What the player was typing is not lost by the loads.
  await expect(amount).toHaveValue("33");
});

test("an admin who calls an action elsewhere sees on the open show that somebody else must decide it", async () => {
  const { host, path, open: event } = await startShow("Two devices", "Will it rain?");
  const page = await signedInAt("admin", `${path}/admin`);
  const reset = page.getByRole("region", { name: "By hand" }).getByRole("button", { name: "Reset" });
  await page.getByRole("link", { name: event.title, exact: true }).click();
  await expect(reset).toBeEnabled();
  await callSide(host, event, "true", 1);
  await expect(reset).toBeDisabled();
  const warning = page.getByText("Pause or Stop: Your call of $1.00 is taken back.");
  await expect(warning).toBeVisible();
  // A pause takes it back, says so, and is not refused.
  await page.getByRole("button", { name: "Pause" }).click();
  await expect(page.getByText("paused the session (own calls of $1.00 taken back)").first()).toBeVisible();
  await expect(warning).toBeHidden();
  await expect(reset).toBeEnabled();
});
