import type { Page } from "playwright/test";

/** A text that the page has changed where nobody sees it any more: what is shown instead, and for how long it was. */
export type StaleText = { shown: string; changedTo: string; staleMs: number };

/**
 * Does to the page what a browser's translator does: each text is taken out, and an element with its translation is put in its place,
 * now and whenever the page puts a text there. The translation has the same words, so that they can be compared. What the page writes
 * into a text that was taken out is recorded: its translation is stale until it goes.
 */
export async function translatePage(page: Page): Promise<void> {
  await page.evaluate(() => {
    // Not every translator respects translate="no".
    const untouched = "script, style, textarea, font";
    const translations = new Map<Node, Element>();
    const stale = new Map<Element, { shown: string; changedTo: string; sinceMs: number; staleMs: number }>();
    const lost = new MutationObserver((changes) => {
      for (const { target } of changes) {
        const shown = translations.get(target);
        const changedTo = target.nodeValue ?? "";
        const entry = { shown: shown?.textContent ?? "", changedTo, sinceMs: performance.now(), staleMs: 0 };
        if (shown?.isConnected === true && !stale.has(shown)) stale.set(shown, entry);
      }
    });
    /** Those that go on being shown are stale for longer. */
    const measure = () => {
      for (const [text, shown] of translations)
        if (!shown.isConnected && !stale.has(shown)) translations.delete(text);
      for (const [shown, entry] of stale) {
        if (entry.sinceMs === 0) continue;
        entry.staleMs = performance.now() - entry.sinceMs;
        if (!shown.isConnected) entry.sinceMs = 0;
      }
      return [...stale.values()];
    };
    const translate = () => {
      const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
      const found: Text[] = [];
      for (let node = texts.nextNode(); node !== null; node = texts.nextNode()) {
        const isFree = node.parentElement !== null && node.parentElement.closest(untouched) === null;
        if (node instanceof Text && isFree && node.data.trim() !== "") found.push(node);
      }
      for (const text of found) {
        const [outer, inner] = [document.createElement("font"), document.createElement("font")];
        inner.textContent = text.data;
        outer.append(inner);
        text.replaceWith(outer);
        translations.set(text, outer);
        lost.observe(text, { characterData: true });
      }
      measure();
    };
    translate();
    new MutationObserver(translate).observe(document.body, {
      childList: true,
      characterData: true,
      subtree: true,
    });
    Object.assign(globalThis, { isTranslated: true, staleTexts: measure });
  });
}

/** The texts of a translated page that were stale for longer than this, by the page's own clock and record. */
export async function staleTexts(page: Page, longerThanMs: number): Promise<StaleText[]> {
  const all = await page.evaluate<StaleText[]>("globalThis.staleTexts()");
  return all.filter(({ staleMs }) => staleMs > longerThanMs);
}

/**
 * Does to the page what other extensions do: wherever there is a text, it gets elements of theirs around it, now and whenever the page
 * puts a text there.
 */
export async function insertNodes(page: Page): Promise<void> {
  await page.evaluate(() => {
    const ATTRIBUTE = "data-of-an-extension";
    const insert = () => {
      for (const element of document.body.querySelectorAll(
        `:not(script, style, textarea, option, [${ATTRIBUTE}])`,
      )) {
        const hasText = [...element.childNodes].some(
          (node) => node instanceof Text && node.data.trim() !== "",
        );
        if (!hasText || element.querySelector(`:scope > [${ATTRIBUTE}]`) !== null) continue;
        for (const place of ["afterbegin", "beforeend"] as const) {
          const own = document.createElement("span");
          own.setAttribute(ATTRIBUTE, "");
          element.insertAdjacentElement(place, own);
        }
      }
    };
    insert();
    new MutationObserver(insert).observe(document.body, {
      childList: true,
      characterData: true,
      subtree: true,
    });
    Object.assign(globalThis, { isTranslated: true });
  });
}

/** True while the page is the one that was translated: it was not loaded again. */
export function isStillTranslated(page: Page): Promise<boolean> {
  return page.evaluate(() => "isTranslated" in globalThis);
}

/**
 * What a part of the page says that follows from the show alone: without times, the health of the show, what it has said before, and
 * results that stay until somebody has seen them.
 */
export function wordsIn(page: Page, selector: string): Promise<string[]> {
  return page.locator(selector).evaluateAll((parts) =>
    parts.map((part) => {
      const copy = part.cloneNode(true);
      if (!(copy instanceof Element)) return "";
      for (const passing of copy.querySelectorAll(
        "script, style, .clock, time, .side-col, [aria-live], .announced, .ticker",
      ))
        passing.remove();
      return copy.textContent
        .replaceAll(/\d*:\d\d|\d+ s\b/g, "0:00")
        .replaceAll(/\s+/g, " ")
        .trim();
    }),
  );
}
