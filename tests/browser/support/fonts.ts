import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { BrowserContext, Page } from "playwright/test";
import subsetFont from "subset-font";
import { axes, FAMILY, fallbackFaces, measuresOf } from "#client/build/fonts.ts";

// The journeys bring the fonts with them, so that they see the same on every machine, whatever it has.

/** The fonts that phones and desks have, by the family of client/build/fonts.ts that measures them. Arimo is Liberation Sans by another name. */
const files = {
  "Fallback Arial": {
    regular: import.meta.resolve("@fontsource/arimo/files/arimo-latin-400-normal.woff2"),
    bold: import.meta.resolve("@fontsource/arimo/files/arimo-latin-700-normal.woff2"),
  },
  "Fallback Roboto": {
    regular: import.meta.resolve("@fontsource/roboto/files/roboto-latin-400-normal.woff2"),
    bold: import.meta.resolve("@fontsource/roboto/files/roboto-latin-700-normal.woff2"),
  },
  "Fallback DejaVu": {
    regular: import.meta.resolve("@fontsource/dejavu-sans/files/dejavu-sans-latin-400-normal.woff2"),
    bold: import.meta.resolve("@fontsource/dejavu-sans/files/dejavu-sans-latin-700-normal.woff2"),
  },
} as const;

export type Fallback = keyof typeof files;
export const fallbacks: readonly Fallback[] = ["Fallback Arial", "Fallback Roboto", "Fallback DejaVu"];
/** The first fallback that a page asks for. */
const [FIRST = "Fallback Arial"] = fallbacks;

/** A face with its bytes in base64. */
type Face = { family: string; bytes: string; descriptors: Record<string, string> };

/** Shows the pages that the context opens from now on in the product's font, from their first paint on. */
export async function showInFont(context: BrowserContext): Promise<void> {
  const { weight, width } = axes;
  await context.addInitScript(addFaces, [
    {
      family: FAMILY,
      bytes: readFileSync("client/fonts/basic.woff2").toString("base64"),
      descriptors: { weight: `${weight.min} ${weight.max}`, stretch: `${width.min}% ${width.max}%` },
    },
  ]);
}

/** Shows the pages that the context opens from now on, as long as they have not the product's font, in this font. */
export async function showInFallback(context: BrowserContext, fallback: Fallback): Promise<void> {
  await context.addInitScript(addFaces, await facesOf(fallback, FIRST));
}

/** Lets `look` see the open page in some fallbacks, one after the other. */
export async function inFallbacks(
  page: Page,
  which: readonly Fallback[],
  look: (fallback: Fallback) => Promise<void>,
): Promise<void> {
  for (const fallback of which) {
    const family = familyOf(fallback);
    const isThere = await page.evaluate(setFont, family);
    if (!isThere) await page.evaluate(addFaces, await facesOf(fallback, family));
    await look(fallback);
  }
  await page.evaluate(setFont, null);
}

/** The families in which the browser shows the text of an element. */
export async function fontsOf(page: Page, selector: string): Promise<string[]> {
  const browser = await page.context().newCDPSession(page);
  await browser.send("DOM.enable");
  await browser.send("CSS.enable");
  const { root } = await browser.send("DOM.getDocument");
  const { nodeId } = await browser.send("DOM.querySelector", { nodeId: root.nodeId, selector });
  const { fonts } = await browser.send("CSS.getPlatformFontsForNode", { nodeId });
  await browser.detach();
  return fonts.map(({ familyName }) => familyName);
}

/** Its own name, under which no rule of the page has a face. */
const familyOf = (fallback: Fallback) => `Only ${fallback}`;

/** The faces of a fallback under the name of a family. */
async function facesOf(fallback: Fallback, family: string): Promise<Face[]> {
  const faces = fallbackFaces.filter((face) => face.family === fallback);
  return Promise.all(
    faces.map(async (face) => {
      const isBold = face.names.some((name) => name.endsWith(" Bold"));
      const measures = Object.entries(measuresOf(face));
      return {
        family,
        bytes: await bytesOf(isBold ? files[fallback].bold : files[fallback].regular),
        descriptors: Object.fromEntries(measures.map(([name, value]) => [descriptorOf(name), value])),
      };
    }),
  );
}

/** What the product's texts are written in, but for a few signs. */
const LETTERS = Array.from({ length: 95 }, (_, nth) => String.fromCodePoint(32 + nth)).join("") + "·–‘’“”…→";
/** DejaVu Sans has thousands of letters, which would take each page half a second. */
const LARGE_BYTES = 50_000;
const known = new Map<string, Promise<string>>();

/** The font of a file in base64, with its kerning and its digits of equal width. */
function bytesOf(file: string): Promise<string> {
  const read = async () => {
    const font = readFileSync(fileURLToPath(file));
    if (font.length < LARGE_BYTES) return font.toString("base64");
    const kept = { keepFeatures: ["kern", "tnum", "lnum"], noHinting: true, variationAxes: {} };
    const subset = await subsetFont(font, LETTERS, { targetFormat: "woff2", ...kept });
    return Buffer.from(subset).toString("base64");
  };
  const bytes = known.get(file) ?? read();
  known.set(file, bytes);
  return bytes;
}

/** "font-weight" is "weight", and "size-adjust" is "sizeAdjust". */
const descriptorOf = (name: string) =>
  name.replace("font-", "").replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());

/** Runs in the page. A face that has its bytes is there at once, and the page's policy has no say in it. */
function addFaces(faces: readonly Face[]): void {
  for (const { family, bytes, descriptors } of faces) {
    const data = Uint8Array.from(atob(bytes), (letter) => letter.charCodeAt(0));
    document.fonts.add(new FontFace(family, data, descriptors));
  }
}

/** Runs in the page. @returns whether it has faces of that family. */
function setFont(family: string | null): boolean {
  const families = family === null ? "" : `"${family}", sans-serif`;
  document.documentElement.style.setProperty("--font", families);
  return [...document.fonts].some((face) => face.family.replaceAll('"', "") === family);
}
