import type { Page } from "playwright/test";

/**
 * What cannot be read of the parts of a page that must be read: texts and pictures that are beyond the window, cut off by a part around
 * them, or covered by another one.
 * @param parts a selector. Each part must be there, and have a text or a picture.
 * @returns a line for each text and picture, with what hides it and where it is.
 */
export function hiddenIn(page: Page, parts: readonly string[]): Promise<string[]> {
  return page.evaluate((selectors) => {
    type Box = Pick<DOMRect, "left" | "top" | "right" | "bottom">;
    const window: Box = { left: 0, top: 0, right: innerWidth, bottom: innerHeight };
    const slackPx = 1;
    /** So far letters reach from the middle of their line, in font sizes. The box of a line may reach into the next one. */
    const LETTERS = 0.4;
    const isWithin = (box: Box, around: Box) =>
      box.left >= around.left - slackPx &&
      box.top >= around.top - slackPx &&
      box.right <= around.right + slackPx &&
      box.bottom <= around.bottom + slackPx;
    const clips = (element: Element): Box[] => {
      const { parentElement: around } = element;
      if (around === null) return [];
      const { overflowX, overflowY } = getComputedStyle(around);
      const isClipping = overflowX !== "visible" || overflowY !== "visible";
      return [...(isClipping ? [around.getBoundingClientRect()] : []), ...clips(around)];
    };
    const isCovered = (element: Element, box: Box) => {
      const [x, y] = [(box.left + box.right) / 2, (box.top + box.bottom) / 2];
      return [x - 1, box.left + 2, box.right - 2].some((left) => {
        const hit = document.elementFromPoint(left, y);
        return hit === null || !(element.contains(hit) || hit.contains(element));
      });
    };
    const whyHidden = (element: Element, box: Box): string | null => {
      if (box.right - box.left < 1 || box.bottom - box.top < 1) return "has no size";
      if (!isWithin(box, window)) return "is beyond the window";
      if (clips(element).some((clip) => !isWithin(box, clip))) return "is cut off";
      return isCovered(element, box) ? "is covered" : null;
    };
    const boxesIn = (part: Element): { element: Element; name: string; box: Box }[] => {
      if (part.matches("svg, img"))
        return [{ element: part, name: part.nodeName, box: part.getBoundingClientRect() }];
      return [...part.childNodes].flatMap((node) => {
        if (node instanceof Element) return boxesIn(node);
        if (node.textContent?.trim() === "") return [];
        const range = document.createRange();
        range.selectNodeContents(node);
        const name = node.textContent ?? "";
        const half = Number.parseFloat(getComputedStyle(part).fontSize) * LETTERS;
        return [...range.getClientRects()].map(({ left, right, top, bottom }) => {
          const middle = (top + bottom) / 2;
          return { element: part, name, box: { left, right, top: middle - half, bottom: middle + half } };
        });
      });
    };
    return selectors.flatMap((selector) => {
      const found = [...document.querySelectorAll(selector)].flatMap(boxesIn);
      if (found.length === 0) return [`${selector} is not there`];
      return found.flatMap(({ element, name, box }) => {
        const why = whyHidden(element, box);
        const at = [box.left, box.top, box.right, box.bottom].map(Math.round).join(" ");
        return why === null ? [] : [`${name} ${why}: ${at}`];
      });
    });
  }, parts);
}
