import type { Page } from "playwright/test";

/**
 * Does to the page what a browser's translator does: each text is taken out, and an element with its translation is put in its place,
 * now and whenever the page puts a text there. The translation has the same words, so that they can be compared.
 */
export async function translatePage(page: Page): Promise<void> {
  await page.evaluate(() => {
    // Not every translator respects translate="no".
    const untouched = "script, style, textarea, font";
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
      }
    };
    translate();
    new MutationObserver(translate).observe(document.body, {
      childList: true,
      characterData: true,
      subtree: true,
    });
    Object.assign(globalThis, { isTranslated: true });
  });
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

/** What a part of the page says, without the times that pass and the health of the show, which is measured. */
export function wordsIn(page: Page, selector: string): Promise<string[]> {
  return page.locator(selector).evaluateAll((parts) =>
    parts.map((part) => {
      const copy = part.cloneNode(true);
      if (!(copy instanceof Element)) return "";
      for (const passing of copy.querySelectorAll("script, style, .clock, time, .side-col")) passing.remove();
      return copy.textContent
        .replaceAll(/\d*:\d\d|\d+ s\b/g, "0:00")
        .replaceAll(/\s+/g, " ")
        .trim();
    }),
  );
}
