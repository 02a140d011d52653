import type { Locator } from "playwright/test";

/** How long a celebration may take. */
export const CELEBRATED_WITHIN_S = 0.6;

/** How an element is animated. */
export type Motion = { name: string; seconds: number; count: string };

/** How the first element that a locator finds is animated, or a pseudo-element of it. */
export function motionOf(locator: Locator, pseudo?: "::after"): Promise<Motion> {
  return locator.first().evaluate((element, part) => {
    const style = getComputedStyle(element, part);
    return {
      name: style.animationName,
      seconds: Number.parseFloat(style.animationDuration),
      count: style.animationIterationCount,
    };
  }, pseudo);
}
