import type { Page } from "playwright/test";

/** By element and property: what it looks like. */
export type Look = Map<string, string>;

/** Properties that change by themselves, or follow from the box of the element. */
const IGNORED = "-- animation transition dashoffset origin block-size inline-size inset";

/**
 * Reads how the first screen looks: the box and all computed styles of every element in it, and those of the boxes before and
 * after it.
 */
export async function readLook(page: Page): Promise<Look> {
  const entries = await page.evaluate((ignored) => {
    const words = ignored.split(" ");
    const look: [string, string][] = [];
    for (const [index, element] of [...document.querySelectorAll("#root *")].entries()) {
      const { x, y, width, height } = element.getBoundingClientRect();
      const isInView = y < innerHeight && y + height > 0 && x < innerWidth && x + width > 0;
      if (!isInView || element.getClientRects().length === 0) continue;
      const name = `${index} ${element.localName}.${element.getAttribute("class") ?? ""}`;
      look.push([`${name} box`, [x, y, width, height].map((value) => value.toFixed(1)).join(" ")]);
      for (const pseudo of ["", "::before", "::after"]) {
        const style = getComputedStyle(element, pseudo);
        const properties = [...style].filter((property) => !words.some((word) => property.includes(word)));
        for (const property of properties)
          look.push([`${name}${pseudo} ${property}`, style.getPropertyValue(property)]);
      }
    }
    return look;
  }, IGNORED);
  return new Map(entries);
}

/** What is different in two looks. */
export function differencesOf(before: Look, after: Look): string[] {
  const names = new Set([...before.keys(), ...after.keys()]);
  return [...names].flatMap((name) => {
    const [was, is] = [before.get(name) ?? "nothing", after.get(name) ?? "nothing"];
    return was === is ? [] : [`${name}: ${was} -> ${is}`];
  });
}
