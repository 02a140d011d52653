import { activeSlug, callOn, desk, phone, signedIn } from "./players.ts";
import { PROOF, type Page, expect, test } from "./support/journey.ts";
import { startShow } from "./support/two-device-show.ts";

const LED_WITHIN_MS = 10_000;

// Signing in and out is in tests/pages/ssr/accounts and tests/http/page-access.

for (const { name, viewport, tag } of [
  { name: "operator", viewport: phone, tag: [] },
  // Not cleo, who hosts a session and is led nowhere.
  { name: "ana", viewport: desk, tag: [PROOF] },
])
  test(
    `without JavaScript a player chats while the session is live, and comes back to the game, at ${viewport.width} px`,
    { tag },
    async () => {
      const player = await signedIn(name, { viewport, javaScriptEnabled: false });
      // The chat's own address leads to the live game, as with script.
      const action = await goToLive(player, "/chat");
      await player.getByRole("link", { name: "Chat", exact: true }).click();
      await expect(player.getByRole("log", { name: "Messages" })).toBeVisible();
      const words = `By hand, live ${Date.now()}`;
      await player.getByLabel("Message", { exact: true }).fill(words);
      await player.getByRole("button", { name: "Send" }).click();
      const line = player
        .getByRole("log", { name: "Messages" })
        .getByRole("listitem")
        .filter({ hasText: words });
      await expect(line).toContainText("(you)");
      await expect(line).toBeInViewport();
      await player.getByRole("link", { name: /Back to live/ }).click();
      await expect(player).toHaveURL(action);
      // With JavaScript that chat leads to the game too.
      const scripted = await signedIn(name, { viewport });
      await goToLive(scripted, "/live_chat");
      await expect(scripted.getByRole("link", { name: "Chat", exact: true })).toHaveCount(0);
    },
  );

test("without JavaScript the page does not claim to follow the game, and an amount is read as with it, or refused beside its field", async () => {
  const page = await signedIn("operator", { javaScriptEnabled: false });
  const { open: event, path } = await startShow();
  await page.goto(path);
  await expectToStandStill(page);
  const field = page.getByRole("textbox", { name: "Wager in dollars" });
  for (const [text, reason] of [
    ["1.000", "At most 2 digits after the point."],
    ["", "Type an amount, like 5 or 12.50."],
  ] as const) {
    await field.fill(text);
    await page.getByRole("radio", { name: /You think/ }).click();
    await expect(field).toHaveAccessibleDescription(reason);
    await expect(field).toHaveAttribute("aria-invalid", "true");
    await expect(field).toHaveValue(text);
  }
  expect(await callOn(page, event.id)).toBeUndefined();
  await field.fill("$2,50");
  await page.getByRole("radio", { name: /You think/ }).click();
  await expect(page.getByText(/Placed \d+:\d\d:\d\d/)).toBeVisible();
  expect(await callOn(page, event.id)).toMatchObject({ wagerCents: 250 });
  // The next call is of the same amount, whichever way leads back to the page; not that of the next player at this device.
  await expect(field).toHaveValue("2.50");
  await page.getByRole("link", { name: "Reload", exact: true }).click();
  await expect(field).toHaveValue("2.50");
  await page.getByRole("link", { name: "Chat", exact: true }).click();
  await page.getByRole("link", { name: /Back to live/ }).click();
  await expect(field).toHaveValue("2.50");
  await page.getByRole("link", { name: "History", exact: true }).click();
  await page.getByRole("link", { name: "Action", exact: true }).click();
  await expect(field).toHaveValue("2.50");
  const other = await signedIn("cleo", { javaScriptEnabled: false });
  const cookies = await page.context().cookies();
  await other.context().addCookies(cookies.filter(({ name }) => name === "wager"));
  await other.goto(page.url());
  await expect(other.getByRole("textbox", { name: "Wager in dollars" })).toHaveValue("1");
});

/** The page does not claim to follow the game, shows only controls that act, and is loaded again, by hand and by itself. */
async function expectToStandStill(page: Page): Promise<void> {
  await expect(page.getByText("In sync")).toBeHidden();
  await expect(page.getByRole("timer")).toHaveCount(0);
  await expect(page.getByText("Closes", { exact: true })).toBeVisible();
  for (const name of ["Less", "More", "$5", "Max"])
    await expect(page.getByRole("button", { name, exact: true })).toHaveCount(0);
  const loaded = () => page.evaluate(() => performance.timeOrigin);
  const first = await loaded();
  await page.getByRole("link", { name: "Reload", exact: true }).click();
  // While the page is replaced it answers nothing.
  await expect(async () => expect(await loaded()).toBeGreaterThan(first)).toPass();
  await expect(page.locator('meta[http-equiv="refresh"]')).toHaveCount(1);
}

/** Opens an address of the demo's live session that leads to its game. Between two shows another one is live. @returns the game's address. */
async function goToLive(player: Page, path: string): Promise<string> {
  let action = "";
  await expect(async () => {
    action = `/sessions/${await activeSlug(player)}`;
    await player.goto(`${action}${path}`);
    await expect(player).toHaveURL(action, { timeout: LED_WITHIN_MS });
  }).toPass();
  return action;
}
