import type { SessionView } from "#src/show/sessions/schemas.ts";
import { phone } from "./players.ts";
import { type Api, eventsIn } from "./show-host.ts";
import { expectSound } from "./support/accessibility.ts";
import { inspectPage } from "./support/inspect-page.ts";
import { type Page, expect, test } from "./support/journey.ts";
import { press } from "./support/room-keys.ts";
import { armedOf, stageTwoHosts, titleOf, trayOf } from "./support/two-host-show.ts";

const LONG = "Will one of the two teams that nobody had expected here score in the first five minutes?";
const tablet = { width: 1_024, height: 768 };

test("on a tablet only the columns scroll: what is armed is in view, and Escape closes what was opened", async () => {
  const { ana, api, session } = await stageTwoHosts({ players: 0, armedStays: true });
  await ana.setViewportSize({ width: 1_280, height: 800 });
  // At this width, in any font.
  await expect.poll(() => ana.locator(".verdict.void .words").evaluate(linesOf)).toBe(1);
  await ana.setViewportSize(tablet);
  await expectInFrame(ana);

  // The first action waits in the tray, and is armed while the second one is on the air.
  await press(ana, "Space");
  await expect(ana.locator("#on-stage")).toHaveText(titleOf(2));
  // The frame around what has the focus lies on no other text.
  await ana.locator("#on-stage").focus();
  expect(await ana.locator("#on-stage").evaluate(coveredByFocus)).toEqual([]);
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

  await expectSidesOnPhone(ana, api, session);
});

/** On a phone a long question leaves its sides in view. */
async function expectSidesOnPhone(host: Page, api: Api, session: SessionView): Promise<void> {
  const [, second] = await eventsIn(api, session);
  await api("PATCH", `/api/v1/events/${second?.id}`, { event: { title: LONG } });
  await expect(host.locator("#on-stage")).toHaveText(LONG);
  await host.setViewportSize(phone);
  for (const side of ["Yes", "No"])
    await expect(host.locator(".trio").getByRole("button", { name: side, exact: true })).toBeInViewport({
      ratio: 1,
    });
}

/** The texts beside a heading on which its focus ring lies. */
function coveredByFocus(heading: Element): string[] {
  const { outlineWidth, outlineOffset, outlineStyle } = getComputedStyle(heading);
  if (outlineStyle === "none") return ["no ring"];
  const ringPx = Number.parseFloat(outlineWidth) + Number.parseFloat(outlineOffset);
  const { top, bottom } = heading.getBoundingClientRect();
  const [before, after] = [heading.previousElementSibling, heading.nextElementSibling];
  const isAbove = (before?.getBoundingClientRect().bottom ?? 0) > top - ringPx;
  const isBelow = (after?.getBoundingClientRect().top ?? Infinity) < bottom + ringPx;
  return [...(isAbove ? [before?.textContent ?? ""] : []), ...(isBelow ? [after?.textContent ?? ""] : [])];
}

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
