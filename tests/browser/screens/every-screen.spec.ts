import { desk, phone } from "../players.ts";
import { inspectPage } from "../support/inspect-page.ts";
import { type Page, expect, test } from "../support/journey.ts";
import { play } from "../support/one-phone-show.ts";

const TEXT_SPACING = `* {
  line-height: 1.5 !important;
  letter-spacing: 0.12em !important;
  word-spacing: 0.16em !important;
}
p { margin-bottom: 2em !important }`;

type Part = { selector: string; width: number; height: number };

/** What is played with, and the least size of each in pixels. */
const partsOnPhones: readonly Part[] = [
  { selector: ".card-q", width: 120, height: 20 },
  { selector: ".card .clock", width: 60, height: 60 },
  { selector: ".side.true", width: 120, height: 80 },
  { selector: ".side.false", width: 120, height: 80 },
  { selector: '.wager input[name="wager"]', width: 20, height: 24 },
  { selector: ".amounts button:last-child", width: 44, height: 44 },
];
const parts: readonly Part[] = [
  { selector: ".card", width: 560, height: 300 },
  { selector: ".card-q", width: 400, height: 24 },
  { selector: ".card .clock", width: 120, height: 80 },
  { selector: ".side.true", width: 250, height: 80 },
  { selector: ".side.false", width: 250, height: 80 },
  { selector: '.wager input[name="wager"]', width: 20, height: 24 },
  { selector: ".amounts button:last-child", width: 44, height: 44 },
  { selector: ".rail", width: 300, height: 300 },
];
/** From a folded phone, upright and on its side, to a wall of 4K. */
const screens = [
  { width: 280, height: 653, parts: partsOnPhones },
  { width: 653, height: 280, parts: partsOnPhones },
  { width: 568, height: 320, parts: partsOnPhones },
  { width: 320, height: 568, parts: partsOnPhones },
  { width: 844, height: 390, parts: partsOnPhones },
  { width: 390, height: 844, parts: partsOnPhones },
  { width: 768, height: 1_024, parts: partsOnPhones },
  { width: 1_024, height: 768, parts },
  { width: 1_440, height: 900, parts },
  { width: 1_920, height: 1_080, parts },
  { width: 2_304, height: 1_296, parts },
  { width: 2_560, height: 1_440, parts },
  { width: 3_840, height: 2_160, parts },
];

test("on every screen the question, the clock, both sides and Max are in sight, large enough and not covered", async () => {
  const { show, page } = await play();
  for (const screen of screens) {
    await page.setViewportSize({ width: screen.width, height: screen.height });
    await expect(page.getByRole("heading", { name: show.open.title })).toBeInViewport({ ratio: 1 });
    await expect(page.getByRole("button", { name: "Max" })).toBeInViewport({ ratio: 1 });
    expect.soft(await faultsOf(page, screen.parts), `${screen.width} x ${screen.height}`).toEqual([]);
    expect.soft(await inspectPage(page), `${screen.width} x ${screen.height}`).toEqual([]);
  }
  // With the spacing of text that a reader may need, rows are higher; nothing is covered, and nothing is beyond its box.
  await page.evaluate((spacing) => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(spacing);
    document.adoptedStyleSheets.push(sheet);
  }, TEXT_SPACING);
  for (const { width, height } of [phone, desk]) {
    await page.setViewportSize({ width, height });
    const faults = (await inspectPage(page)).filter((fault) => !fault.startsWith("higher than its row"));
    expect.soft(faults, `with spaced text, ${width} x ${height}`).toEqual([]);
  }
});

/** The parts that are too small, out of sight or covered. */
function faultsOf(page: Page, parts: readonly Part[]): Promise<string[]> {
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
