import type { BrowserContext, Page } from "playwright/test";

/** What stands over the label of the right side, which is in the same place in all states of a question. */
export const LABELS: readonly string[] = [".side.false .label small"];

/** The rows of the play screen that are in the same place in all states. */
const ROWS = [
  ".card",
  ".card-meta",
  ".card .pool",
  ".card .mine:not(.announced)",
  ".wager",
  ".sides",
  ".ticker",
  // On a wide screen: the rank, the calls, and what is read below them.
  ".rail > .panel:nth-child(1)",
  ".rail > .panel:nth-child(2)",
  ".rail > .panel:nth-child(3)",
];

type ShiftEntry = PerformanceEntry & {
  value: number;
  hadRecentInput: boolean;
  sources: readonly { node: Node | null; previousRect: DOMRectReadOnly; currentRect: DOMRectReadOnly }[];
};

declare global {
  interface Window {
    layoutShiftScores?: number[];
    movedParts?: string[];
    /** Records what the browser has seen and not told yet. */
    takeLayoutShifts?: () => void;
  }
}

/** Records the layout shifts of all pages that the context opens from now on. */
export async function recordLayoutShifts(context: BrowserContext): Promise<void> {
  await context.addInitScript(() => {
    const scores: number[] = [];
    const moved: string[] = [];
    Object.assign(window, { layoutShiftScores: scores, movedParts: moved });
    const isShift = (entry: PerformanceEntry): entry is ShiftEntry => "hadRecentInput" in entry;
    const record = (entries: PerformanceEntryList) => {
      for (const entry of entries.filter(isShift)) {
        if (entry.hadRecentInput) continue;
        scores.push(entry.value);
        for (const { node, previousRect: from, currentRect: to } of entry.sources) {
          const what = node instanceof Element ? node.outerHTML.slice(0, 90) : (node?.textContent ?? "");
          moved.push(`${what} from ${from.x},${from.y} to ${to.x},${to.y}`);
        }
      }
    };
    const observer = new PerformanceObserver((list) => record(list.getEntries()));
    observer.observe({ type: "layout-shift", buffered: true });
    window.takeLayoutShifts = () => record(observer.takeRecords());
  });
}

/** The cumulative layout shift of the open page so far. */
export async function layoutShiftOf(page: Page): Promise<number> {
  await passFrame(page);
  const scores = await page.evaluate(() => window.layoutShiftScores ?? []);
  return scores.reduce((sum, score) => sum + score, 0);
}

/** Where the rows of the play screen are: "x y width height" of each, in whole pixels. */
export function rowsOf(page: Page, rows: readonly string[] = ROWS): Promise<string[]> {
  return page.evaluate(
    (selectors) =>
      selectors.map((selector) => {
        const box = document.querySelector(selector)?.getBoundingClientRect();
        if (box === undefined) return `${selector} is missing`;
        return `${selector} ${[box.x, box.y, box.width, box.height].map(Math.round).join(" ")}`;
      }),
    rows,
  );
}

/** What has moved on the open page since the last time, and where. */
export async function takeMovedParts(page: Page): Promise<string[]> {
  await passFrame(page);
  return page.evaluate(() => window.movedParts?.splice(0) ?? []);
}

/** Lets the page draw what has changed, and records how that has moved it. */
function passFrame(page: Page): Promise<void> {
  return page.evaluate(async () => {
    for (let frames = 0; frames < 2; frames += 1) await new Promise(requestAnimationFrame);
    window.takeLayoutShifts?.();
  });
}
