import type { Locator } from "playwright/test";

/** What the first element that a locator finds is painted with: its ground, text and outline, and those of its pseudo-elements. */
export function paintOf(locator: Locator): Promise<string[]> {
  return locator.first().evaluate((element) =>
    [undefined, "::before", "::after"].map((pseudo) => {
      const style = getComputedStyle(element, pseudo);
      const { content, color, backgroundColor, backgroundImage, outlineStyle, outlineWidth, outlineColor } =
        style;
      if (pseudo !== undefined && content === "none") return "";
      const outline = outlineStyle === "none" ? "none" : `${outlineStyle} ${outlineWidth} ${outlineColor}`;
      return `${color}, ${backgroundColor}, ${backgroundImage}, ${outline}`;
    }),
  );
}
