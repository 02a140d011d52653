import { expect, type Page } from "playwright/test";
import { inspectPage } from "../support/inspect-page.ts";
import { test } from "../support/journey.ts";
import { startBackToBack } from "../support/two-device-show.ts";

/** From a small desk to a wall of 4K. */
const screens = [
  { width: 1_024, height: 768 },
  { width: 1_440, height: 900 },
  { width: 1_920, height: 1_080 },
  { width: 2_304, height: 1_296 },
  { width: 2_560, height: 1_440 },
  { width: 3_840, height: 2_160 },
];
/** What is played with, and the least size of each in pixels. */
const parts = [
  { selector: ".card", width: 560, height: 300 },
  { selector: ".card-q", width: 400, height: 24 },
  { selector: ".card .clock", width: 120, height: 80 },
  { selector: ".side.true", width: 250, height: 80 },
  { selector: ".side.false", width: 250, height: 80 },
  { selector: '.wager input[name="wager"]', width: 20, height: 24 },
  { selector: ".amounts button:last-child", width: 44, height: 44 },
  { selector: ".rail", width: 300, height: 300 },
];

test("on wide screens the question, the clock, both sides and Max are in sight, large enough and not covered", async ({
  browser,
  baseURL,
}) => {
  const [viewport] = screens;
  const show = await startBackToBack(browser, String(baseURL), [{ ...(viewport && { viewport }) }]);
  const [page] = show.devices;
  if (page === undefined) throw new Error("The player has no device.");
  for (const screen of screens) {
    await page.setViewportSize(screen);
    await expect(page.getByRole("heading", { name: show.open.title })).toBeInViewport({ ratio: 1 });
    await expect(page.getByRole("button", { name: "Max" })).toBeInViewport({ ratio: 1 });
    expect.soft(await faultsOf(page), `${screen.width} x ${screen.height}`).toEqual([]);
    expect.soft(await inspectPage(page), `${screen.width} x ${screen.height}`).toEqual([]);
  }
});

/** The parts that are too small, out of sight or covered. */
function faultsOf(page: Page): Promise<string[]> {
  return page.evaluate(
    (expected) =>
      expected.flatMap(({ selector, width, height }) => {
        const part = document.querySelector(selector);
        if (part === null) return [`${selector} is missing`];
        const box = part.getBoundingClientRect();
        const size = `${selector} is ${Math.round(box.width)} x ${Math.round(box.height)}`;
        const isSmall = box.width < width || box.height < height;
        const isOut = box.left < 0 || box.top < 0 || box.right > innerWidth || box.bottom > innerHeight;
        // Corners may be round, so a little inside of them.
        const points = [0.1, 0.5, 0.9].map((share) => [
          box.left + box.width * share,
          box.top + box.height / 2,
        ]);
        const isCovered = points.some(([x = 0, y = 0]) => {
          const hit = document.elementFromPoint(x, y);
          return hit !== null && !part.contains(hit) && !hit.contains(part);
        });
        return [
          ...(isSmall ? [size] : []),
          ...(isOut ? [`${selector} is out of sight`] : []),
          ...(isCovered ? [`${selector} is covered`] : []),
        ];
      }),
    parts,
  );
}
