import type { CallView } from "#src/play/calls/schemas.ts";
import type { StageAnswer } from "#src/show/stage/schemas.ts";
import { apiAs, newPage } from "./players.ts";
import { apiOf } from "./show-host.ts";
import { violationsOf } from "./support/accessibility.ts";
import { type Page, expect, openLive, test } from "./support/journey.ts";
import { ask, planSession, startSession } from "./support/own-show.ts";

test("before the start a player sees who is in, practises without money, invites others, and then the game begins", async () => {
  const host = await apiAs("admin");
  const session = await planSession(host, "Waiting");
  const page = await newPage({ permissions: ["clipboard-read", "clipboard-write"] });
  const player = apiOf(page);
  await player("POST", "/users/guest", { user: { username: `waiting_${Date.now() % 1e9}` } });
  await openLive(page, `/sessions/${session.slug}`);
  const card = page.locator(".card");
  const sides = page.getByRole("radiogroup", { name: /^Practice: / });

  await test.step("who is in", async () => {
    await expect(card.getByRole("list", { name: "Who is in" })).toContainText(/waiting_\d+/);
    await expect(card.getByText("Here", { exact: true })).toBeVisible();
    expect(await violationsOf(page)).toEqual([]);
  });

  await test.step("practice has the two sides of the game, a result, and another question, and sends nothing", async () => {
    const sent: string[] = [];
    page.on("request", (request) => {
      if (request.method() !== "GET") sent.push(request.url());
    });
    const question = await sides.getAttribute("aria-label");
    await page.keyboard.press("1");
    await expect(sides.getByRole("radio").first()).toBeFocused();
    await page.keyboard.press("Enter");
    await expect(sides.getByRole("radio").first()).toBeChecked();
    await expect(card.getByText(/You would have won\.|It went the other way\./)).toBeVisible();
    await expect(sides).not.toHaveAttribute("aria-label", String(question));
    expect(sent).toEqual([]);
    const { calls } = await player<{ calls: CallView[] }>("GET", "/api/v1/calls");
    expect(calls).toEqual([]);
  });

  await invite(page, await host<StageAnswer>("GET", `/api/v1/sessions/${session.slug}/stage`));

  await test.step("the first question has the sides, and no practice is left", async () => {
    await startSession(host, session);
    const event = await ask(host, session.id, "Will it begin?");
    await expect(page.getByRole("heading", { name: event.title })).toBeVisible();
    await expect(sides).toHaveCount(0);
    await expect(page.getByRole("radio", { name: "You think True. First call" })).toBeVisible();
  });
});

/** A friend comes by the code, the QR code or the link. */
async function invite(page: Page, { joinCode, joinUrl }: StageAnswer): Promise<void> {
  const sheet = page.getByRole("dialog", { name: "Invite" });
  // The sheet's code comes once the page is used.
  await expect(async () => {
    await page.locator(".card").getByRole("button", { name: "Invite" }).click();
    await expect(sheet).toBeVisible({ timeout: 1_000 });
  }).toPass();
  await expect(sheet.getByText(`${joinCode.slice(0, 3)} ${joinCode.slice(3)}`)).toBeVisible();
  await expect(sheet.getByRole("img", { name: /^QR code of the link to Waiting/ })).toBeVisible();
  await expect(sheet.getByRole("textbox", { name: "Link for players" })).toHaveValue(joinUrl);
  expect(await violationsOf(page)).toEqual([]);
  await sheet.getByRole("button", { name: "Send the link" }).click();
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(joinUrl);
  await page.goBack();
  await expect(sheet).toBeHidden();
}
