import type { BrowserContext, Page } from "playwright/test";

/** The rows of the play screen that are in the same place in all states. */
const ROWS = [
  ".card",
  ".card-meta",
  ".card .pool",
  ".card .mine:not(.announced)",
  ".wager",
  ".sides",
  ".ticker",
];

type ShiftEntry = PerformanceEntry & { value: number; hadRecentInput: boolean };

declare global {
  interface Window {
    layoutShiftScores?: number[];
  }
}

/** Records the layout shifts of all pages that the context opens from now on. */
export async function recordLayoutShifts(context: BrowserContext): Promise<void> {
  await context.addInitScript(() => {
    const scores: number[] = [];
    window.layoutShiftScores = scores;
    const isShift = (entry: PerformanceEntry): entry is ShiftEntry => "hadRecentInput" in entry;
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries().filter(isShift))
        if (!entry.hadRecentInput) scores.push(entry.value);
    }).observe({ type: "layout-shift", buffered: true });
  });
}

/** The cumulative layout shift of the open page so far. */
export async function layoutShiftOf(page: Page): Promise<number> {
  const scores = await page.evaluate(() => window.layoutShiftScores ?? []);
  return scores.reduce((sum, score) => sum + score, 0);
}

/** Where the rows of the play screen are: "x y width height" of each, in whole pixels. */
export function rowsOf(page: Page): Promise<string[]> {
  return page.evaluate(
    (selectors) =>
      selectors.map((selector) => {
        const box = document.querySelector(selector)?.getBoundingClientRect();
        if (box === undefined) return `${selector} is missing`;
        return `${selector} ${[box.x, box.y, box.width, box.height].map(Math.round).join(" ")}`;
      }),
    ROWS,
  );
}
