import type { Page } from "playwright/test";

/** By element and property: what it looks like. */
export type Look = Map<string, string>;

/** What people see of an element besides its box. The rest of its styles shows in the boxes around it. */
const PROPERTIES =
  "color background-color background-image border-color border-radius box-shadow font opacity visibility fill stroke text-decoration-line text-overflow transform z-index";
/** The boxes before and after an element are drawn from these. */
const DRAWN = "content display width height background-color";

/**
 * Reads how the first screen looks: the box and the visible styles of every element in it, and those of the boxes before and
 * after it.
 */
export async function readLook(page: Page): Promise<Look> {
  const entries = await page.evaluate(
    ({ properties, drawn }) => {
      const look: [string, string][] = [];
      const read = (element: Element, pseudo: string, names: string[]): string => {
        const style = getComputedStyle(element, pseudo);
        return names.map((name) => style.getPropertyValue(name)).join("; ");
      };
      for (const [index, element] of [...document.querySelectorAll("#root *")].entries()) {
        const { x, y, width, height } = element.getBoundingClientRect();
        const isInView = y < innerHeight && y + height > 0 && x < innerWidth && x + width > 0;
        if (!isInView || element.getClientRects().length === 0) continue;
        const name = `${index} ${element.localName}.${element.getAttribute("class") ?? ""}`;
        look.push([`${name} box`, [x, y, width, height].map((value) => value.toFixed(1)).join(" ")]);
        look.push([name, read(element, "", properties)]);
        for (const pseudo of ["::before", "::after"])
          if (getComputedStyle(element, pseudo).content !== "none")
            look.push([`${name}${pseudo}`, read(element, pseudo, drawn)]);
      }
      return look;
    },
    { properties: PROPERTIES.split(" "), drawn: DRAWN.split(" ") },
  );
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
