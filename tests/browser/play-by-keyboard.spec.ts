import { callOn, profileOf, signedInByForm } from "./players.ts";
import { type Page, expect, hydrated, openLive, pressOther, test } from "./support/journey.ts";
import { startShow } from "./support/two-device-show.ts";

test("with the keyboard alone cleo wagers two dollars on the right side and cancels it", async () => {
  const cleo = await signedInByForm("cleo");
  const before = await profileOf(cleo);
  const { open: event, path } = await startShow();
  await openLive(cleo, path);
  await cleo.keyboard.press("2");
  await cleo.keyboard.press("ArrowUp");
  await expect(cleo.getByText("Wager $2.00.")).toBeAttached();
  await cleo.keyboard.press("Enter");
  await expect(cleo.getByText(/^Placed \d+:\d\d:\d\d/)).toBeVisible();
  const called = () => callOn(cleo, event.id);
  await expect.poll(called).toMatchObject({ side: "false", wagerCents: 200 });

  await cleo.keyboard.press("Backspace");
  await expect(cleo.getByText(/^(First call: you win|Tap a side\.)/)).toBeVisible();
  await expect.poll(called).toBeUndefined();
  const available = async () => (await profileOf(cleo)).wallet.availableBalanceCents;
  await expect.poll(available).toBe(before.wallet.availableBalanceCents);

  await test.step("an offline screen says so and takes no calls; back online it is up to date", async () => {
    await cleo.context().setOffline(true);
    await expect(cleo.getByText("Reconnecting", { exact: true })).toBeVisible();
    await cleo.keyboard.press("1");
    await cleo.keyboard.press("Enter");
    await cleo.context().setOffline(false);
    await expect(cleo.getByText("Reconnecting", { exact: true })).toBeHidden();
    await expect(cleo.getByText("In sync")).toBeAttached();
    expect(await called()).toBeUndefined();
  });

  await expectKeysByPlace(cleo);
  await cleo.keyboard.press("2");

  // The keys are said on the sides to those who use keys, and can be switched off.
  const keyOf = () =>
    cleo
      .locator(".side.true .label small")
      .evaluate((words) => getComputedStyle(words, "::after").content.replaceAll('"', ""));
  await expect.poll(keyOf).toBe("1");
  await cleo.keyboard.press("?");
  const help = cleo.getByRole("dialog", { name: "Keys" });
  await expect(help.getByRole("switch", { name: "Sound and vibration" })).toBeVisible();
  await expect(help.getByRole("slider", { name: "Stream delay" })).toBeVisible();
  await help.getByRole("switch", { name: "Single keys" }).press("Enter");
  await help.getByRole("button", { name: "Close" }).press("Enter");
  await expect(help).toBeHidden();
  await expect.poll(keyOf).toBe("none");
  await expect(cleo.locator(".side.false")).toBeFocused();
  for (const key of ["?", "1"]) await cleo.keyboard.press(key);
  await expect(cleo.locator(".side.false")).toBeFocused();
  await expect(help).toBeHidden();
  await cleo.reload();
  await hydrated(cleo);
  await cleo.keyboard.press("1");
  await expect(cleo.locator(".side:focus")).toHaveCount(0);
});

/** On a French keyboard the key of the 2 types an accent. An input method's own keys choose nothing. */
async function expectKeysByPlace(page: Page): Promise<void> {
  for (const [key, focused] of [
    [{ key: "é", code: "Digit2" }, ".side.false"],
    [{ key: "&", code: "Digit1" }, ".side.true"],
    [{ key: "é", code: "Digit2", keyCode: 229 }, ".side.true"],
  ] as const) {
    await pressOther(page, key);
    await expect(page.locator(focused)).toBeFocused();
  }
}
