import { expectSound } from "./support/accessibility.ts";
import { inspectPage } from "./support/inspect-page.ts";
import { type Page, expect, test } from "./support/journey.ts";
import { press } from "./support/room-keys.ts";
import { armedOf, stageTwoHosts, titleOf, trayOf } from "./support/two-host-show.ts";

const tablet = { width: 1_024, height: 768 };

test("on a tablet only the columns scroll: what is armed is in view, and Escape closes what was opened", async () => {
  const { ana } = await stageTwoHosts({ players: 0, armedStays: true });
  await ana.setViewportSize({ width: 1_280, height: 800 });
  // At this width, in any font.
  await expect.poll(() => ana.locator(".verdict.void .words").evaluate(linesOf)).toBe(1);
  await ana.setViewportSize(tablet);
  await expectInFrame(ana);

  // The first action waits in the tray, and is armed while the second one is on the air.
  await press(ana, "Space");
  await expect(ana.locator("#on-stage")).toHaveText(titleOf(2));
  // The second press of a double click pays nothing, whatever is under the finger by then.
  await trayOf(ana)
    .getByRole("button", { name: "Yes: 1. Question 1?" })
    .dblclick({ position: { x: 3, y: 20 } });
  await expect(armedOf(ana)).toContainText("Largest win");
  await expectInFrame(ana);
  for (const part of ["heading", "button"] as const)
    await expect(armedOf(ana).getByRole(part, { name: /Yes/ })).toBeInViewport({ ratio: 1 });
  for (const beside of [trayOf(ana), ana.locator("#on-stage")])
    await expect(beside).toBeInViewport({ ratio: 0.99 });
  expect(await inspectPage(ana)).toEqual([]);
  await ana.keyboard.press("Escape");

  const health = ana.getByRole("button", { name: /^Health/ });
  await health.click();
  const drawer = ana.getByRole("complementary", { name: "Health and players" });
  await expect(drawer).toBeFocused();
  await drawer.getByRole("searchbox", { name: "Find a player" }).fill("ana");
  await expect(drawer.getByRole("list", { name: "Players" })).toContainText("ana");
  await expectInFrame(ana);
  await expectSound(ana);
  await ana.keyboard.press("Escape");
  await expect(drawer).toBeHidden();
  await expect(health).toBeFocused();

  for (const [name, title] of [
    ["Invite", "Invite players"],
    ["Keys", "Keys"],
  ] as const) {
    const button = ana.getByRole("button", { name, exact: true });
    await button.click();
    await expect(ana.getByRole("dialog", { name: title })).toBeVisible();
    expect(await inspectPage(ana)).toEqual([]);
    await ana.keyboard.press("Escape");
    await expect(button).toBeFocused();
  }
});

/** How many lines the text of an element takes. */
function linesOf(element: Element): number {
  const text = document.createRange();
  text.selectNodeContents(element);
  return text.getClientRects().length;
}

/** The page is as high as the window. */
async function expectInFrame(host: Page): Promise<void> {
  await expect
    .poll(() => host.evaluate(() => [document.documentElement.scrollHeight, innerHeight]))
    .toEqual([tablet.height, tablet.height]);
}
