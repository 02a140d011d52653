import { expect, type Page } from "playwright/test";
import { PROOF, test } from "../support/journey.ts";
import { callsOf, play, ready, side } from "../support/one-phone-show.ts";
import { callSide, decide, goOn } from "../support/two-device-show.ts";

/** What the thumb has pressed, by the words on it. */
declare global {
  interface Window {
    thumbPressed?: string[];
  }
}

/**
 * A thumb that is always too late: wherever a control takes the place of another one, or its words change, it is pressed in the same
 * moment, in its middle, as a finger presses that was on its way to what was there before.
 */
async function pressAllThatIsNew(page: Page): Promise<void> {
  await page.evaluate(() => {
    const pressed: string[] = [];
    window.thumbPressed = pressed;
    const selector = "main button, main a.act, .toasts button";
    const recentMs = 1_500;
    type Seen = { control: Element; words: string; box: DOMRect; atMs: number };
    let seen: Seen[] = [];
    const wordsOf = (control: Element) =>
      `${control.getAttribute("aria-label") ?? ""}|${control.textContent}`;
    const look = (press: boolean) => {
      const atMs = performance.now();
      const shown = [...document.querySelectorAll<HTMLElement>(selector)].map((control) => ({
        control,
        words: wordsOf(control),
        box: control.getBoundingClientRect(),
        atMs,
      }));
      const before = seen.filter((each) => atMs - each.atMs < recentMs);
      seen = [...shown, ...before.filter((each) => !shown.some(({ control }) => control === each.control))];
      if (!press) return;
      for (const { control, words, box } of shown) {
        const [x, y] = [box.left + box.width / 2, box.top + box.height / 2];
        const wasAnother = before.some(
          (each) =>
            (each.control !== control || each.words !== words) &&
            !(each.control === control && control.matches(".side")) &&
            // Its words change with each call, and a press opens the same explanation.
            !(each.control.matches(".pays") && control.matches(".pays")) &&
            x > each.box.left &&
            x < each.box.right &&
            y > each.box.top &&
            y < each.box.bottom,
        );
        const isNew = !before.some((each) => each.control === control && each.words === words);
        if (!wasAnother || !isNew) continue;
        pressed.push(words);
        document
          .elementFromPoint(x, y)
          ?.dispatchEvent(
            new MouseEvent("click", { clientX: x, clientY: y, detail: 1, bubbles: true, cancelable: true }),
          );
      }
    };
    look(false);
    new MutationObserver(() => look(true)).observe(document.body, {
      childList: true,
      characterData: true,
      attributes: true,
      subtree: true,
      attributeFilter: ["aria-label", "value"],
    });
  });
}

test(
  "a thumb that presses every control in the moment in which something replaced it does nothing that is not meant",
  { tag: PROOF },
  async ({ browser }) => {
    test.slow();
    const game = await play(browser);
    const { page, show } = game;
    const { pathname } = new URL(page.url());
    await pressAllThatIsNew(page);
    // Questions that come by themselves, with a call on each, placed elsewhere; results of the one before over the slip; a call that
    // is called off; a pause.
    for (const result of [true, false, "void", true] as const) {
      await callSide(show.player, show.open, "true", 1);
      await callSide(show.opponent, show.open, "false", 1);
      await expect(page.locator(".card .mine.has").first()).toBeVisible();
      const closed = await goOn(show);
      await callSide(show.player, show.open, "true", 1);
      await decide(show, closed, result, result === "void" ? "The camera fell over." : undefined);
      await expect(page.locator(".card .announced")).toBeVisible();
      await expect(page.locator(".card .announced")).toHaveCount(0, { timeout: 60_000 });
      await goOn(show);
    }
    await ready(page);
    expect(await page.evaluate(() => window.thumbPressed ?? [])).not.toEqual([]);
    const { takenBack } = await callsOf(game);
    // Only what was placed elsewhere: two on each round.
    expect([await countOf(game), takenBack.length]).toEqual([8, 0]);
    expect(new URL(page.url()).pathname).toBe(pathname);
    await expect(side(page, "True")).toBeVisible();
  },
);

/** All calls of the player, also those that were settled. */
async function countOf({ show }: Awaited<ReturnType<typeof play>>): Promise<number> {
  const { meta } = await show.player<{ meta: { totalCount: number } }>("GET", "/api/v1/calls?per_page=1");
  return meta.totalCount;
}
