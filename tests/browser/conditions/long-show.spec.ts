import { chromiumFlags, requireShell } from "#tests/support/chromium.ts";
import { PROOF, type Page, expect, test } from "../support/journey.ts";
import { cancel, type Play, play, ready, side } from "../support/one-phone-show.ts";
import { callSide, decide, goOn } from "../support/two-device-show.ts";

test.use({
  launchOptions: {
    executablePath: requireShell(),
    // The engine's machine code grows for an hour, and is no matter of the page.
    args: [...chromiumFlags, "--js-flags=--jitless"],
  },
});

/** What a page holds, after the garbage was collected. */
type Held = { question: number; heapKb: number; nodes: number; listeners: number };

const KB = 1_024;
/** A question more or less has a few elements more or less, such as its pip. A leak of the kind that was here adds 8 a question. */
const NODES_MORE = 25;
const LISTENERS_MORE = 10;
/** The page keeps its questions and results. */
const HEAP_TIMES = 1.1;

/** Measures what the pages of a show hold. */
async function openMeasures(page: Page): Promise<(question: number) => Promise<Held>> {
  const system = await page.context().newCDPSession(page);
  await system.send("Performance.enable");
  return async (question) => {
    await system.send("HeapProfiler.collectGarbage");
    const { metrics } = await system.send("Performance.getMetrics");
    const valueOf = (name: string) => metrics.find((metric) => metric.name === name)?.value ?? 0;
    return {
      question,
      heapKb: Math.round(valueOf("JSHeapUsedSize") / KB),
      nodes: valueOf("Nodes"),
      listeners: valueOf("JSEventListeners"),
    };
  };
}

/** Plays one question with a call of the player and one of an opponent, decides it, and opens the next one. */
async function playQuestion({ show, page }: Play, number: number): Promise<void> {
  await ready(page);
  await side(page, "True").click();
  await expect(cancel(page)).toBeVisible();
  await callSide(show.opponent, show.open, "false", 1);
  const closed = await goOn(show);
  await decide(show, closed, number % 2 === 0);
  if (number % 5 !== 0) return;
  await page.getByRole("link", { name: /^My rank/ }).click();
  await expect(page.getByRole("dialog", { name: "Leaders" })).toBeVisible();
  await page.keyboard.press("Escape");
}

/** Plays a show on one page. @returns what the page holds after each of these questions. */
async function holdThrough(questions: readonly number[]): Promise<Held[]> {
  const game = await play();
  const { page } = game;
  const measure = await openMeasures(page);
  const held: Held[] = [];
  for (let number = 1; number <= (questions.at(-1) ?? 0); number += 1) {
    await playQuestion(game, number);
    if (!questions.includes(number)) continue;
    // Looked at in the same moment: the result is there, and the next question may be called.
    await expect(page.getByRole("button", { name: "Close this result" })).toBeVisible();
    await ready(page);
    held.push(await measure(number));
  }
  return held;
}

/** The page holds at its last measure what it held at its first, but for what differs between two looks at the same screen. */
function expectFlat(held: readonly Held[]): void {
  const [first, last] = [held.at(0), held.at(-1)];
  if (first === undefined || last === undefined) throw new Error("Nothing was measured.");
  const said = JSON.stringify(held);
  expect(last.nodes, said).toBeLessThanOrEqual(first.nodes + NODES_MORE);
  expect(last.listeners, said).toBeLessThanOrEqual(first.listeners + LISTENERS_MORE);
  expect(last.heapKb, said).toBeLessThanOrEqual(first.heapKb * HEAP_TIMES);
}

const title = "an open page holds after the thirtieth question what it held after the tenth";
test(title, { tag: PROOF }, async () => {
  expectFlat(await holdThrough([10, 20, 30]));
});
