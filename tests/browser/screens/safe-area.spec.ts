import { type CDPSession, expect, type Page } from "playwright/test";
import { newPage } from "../players.ts";
import { inspectPage, untilStill } from "../support/inspect-page.ts";
import { PROOF, openLive, test, use } from "../support/journey.ts";
import { play } from "../support/one-phone-show.ts";

/** What a phone's camera, its round corners and its home bar take of the screen, as an installed app gets it. */
type Insets = { top: number; right: number; bottom: number; left: number };
const phones = [
  { name: "upright", size: { width: 390, height: 844 }, insets: { top: 47, right: 0, bottom: 34, left: 0 } },
  {
    name: "on its side",
    size: { width: 844, height: 390 },
    insets: { top: 0, right: 47, bottom: 21, left: 47 },
  },
] as const;

test(
  "nothing that is read or pressed is under a phone's camera or its home bar",
  { tag: PROOF },
  async () => {
    const { page } = await play();
    const action = new URL(page.url()).pathname;
    const system = await page.context().newCDPSession(page);
    const stranger = await newPage();
    const strangers = await stranger.context().newCDPSession(stranger);
    for (const phone of phones) {
      const look = async (shown: Page, name: string) => {
        expect.soft(await findUnderneath(shown, phone.insets), `${phone.name}: ${name}`).toEqual([]);
        await shown.screenshot({
          path: test.info().outputPath(`${phone.name} ${name}.png`.replaceAll(" ", "-")),
        });
      };
      await hold(page, system, phone);
      await openLive(page, action);
      await use(page);
      await page.locator(".reactions-toggle").waitFor();
      await look(page, "play");
      expect.soft(await inspectPage(page), phone.name).toEqual([]);
      await page.getByRole("link", { name: /Ranks|My rank/ }).click();
      await expect(page.getByRole("dialog", { name: "Leaders" })).toBeVisible();
      await look(page, "leaders");
      await openLive(page, `${action}/history`);
      await look(page, "history");
      await openLive(page, "/profile/wallet");
      await look(page, "wallet");
      await page.getByRole("button", { name: "Menu", exact: true }).click();
      await expect(page.getByRole("radiogroup", { name: "Theme" })).toBeVisible();
      await look(page, "menu");
      await hold(stranger, strangers, phone);
      await openLive(stranger, "/users/sign_in");
      await look(stranger, "front door");
    }
  },
);

async function hold(
  page: Page,
  system: CDPSession,
  { size, insets }: (typeof phones)[number],
): Promise<void> {
  await page.setViewportSize(size);
  await system.send("Emulation.setSafeAreaInsetsOverride", { insets });
}

/** Texts and controls that reach under the camera or the home bar: at the page's beginning above, at its end below. */
async function findUnderneath(page: Page, insets: Insets): Promise<string[]> {
  await page.evaluate(untilStill);
  const at = (isEnd: boolean) =>
    page.evaluate(
      ({ top, right, bottom, left, isEnd: end }) => {
        const opened = [...document.querySelectorAll("dialog[open], [popover]:popover-open")].at(-1);
        for (const scrolled of [document.documentElement, opened])
          scrolled?.scrollTo(0, end ? scrolled.scrollHeight : 0);
        const parts = document.querySelectorAll(
          "a, button, input, h1, h2, p, dt, dd, li, time, output, b, .pill",
        );
        const isSeen = (part: Element) =>
          part.checkVisibility({ opacityProperty: true, visibilityProperty: true }) &&
          part.closest(".vh, .skip, [hidden], [aria-live]") === null &&
          opened?.contains(part) !== false;
        return [...parts].flatMap((part) => {
          const box = part.getBoundingClientRect();
          if (!isSeen(part) || box.width < 2 || box.height < 2) return [];
          if (box.bottom <= 0 || box.top >= innerHeight) return [];
          const isAbove = !end && box.top < top;
          const isBelow = end && box.bottom > innerHeight - bottom;
          const isBeside = box.left < left || box.right > innerWidth - right;
          return isAbove || isBelow || isBeside ? [part.outerHTML.slice(0, 110)] : [];
        });
      },
      { ...insets, isEnd },
    );
  return [...(await at(false)), ...(await at(true))];
}
