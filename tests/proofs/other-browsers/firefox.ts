import puppeteer from "puppeteer-core";
import { waitFor } from "#tests/support/wait-for.ts";
import { controlPath, fieldPath, IS_LIVE, isShown, type Visitor, WITHIN_MS } from "./visitor.ts";

/** The last one is that of all else. */
const SIZES = [
  [360, 640],
  [768, 1024],
  [1440, 900],
  [390, 844],
] as const;

/**
 * A visitor with Firefox, led by WebDriver BiDi.
 * @param program Firefox's path.
 */
export async function visitWithFirefox(program: string): Promise<Visitor> {
  const browser = await puppeteer.launch({
    browser: "firefox",
    executablePath: program,
    headless: true,
    defaultViewport: { width: 390, height: 844 },
  });
  const page = await browser.newPage();
  page.setDefaultTimeout(WITHIN_MS);
  // Each look is a command of its own: in Firefox 140 a page's policy forbids what would wait inside the page.
  const find = (path: string) =>
    waitFor(path, async () => {
      const found = await page.$$(`xpath/${path}`).catch(() => []);
      const visible = await Promise.all(found.map((one) => one.isVisible().catch(() => false)));
      return found.find((_, index) => visible[index]) ?? null;
    });
  const isTrue = (expression: string) =>
    waitFor(expression, () =>
      page.evaluate(expression).then(
        (value) => value === true || null,
        // On the way to another page.
        () => null,
      ),
    );
  const isLive = () => isTrue(IS_LIVE);
  return {
    browser: await browser.version(),
    open: async (url) => {
      await page.goto(url);
      await isLive();
    },
    fill: async (label, text) => {
      const field = await find(fieldPath(label));
      await field.click({ count: 3 });
      await field.type(text);
    },
    press: async (name) => {
      await isLive();
      const control = await find(controlPath(name));
      await control.click();
    },
    sees: async (text) => {
      await isTrue(isShown(text));
    },
    findsNoFaults: async (expression) => {
      for (const [width, height] of SIZES) {
        // Firefox 140 resizes, and does not know the command for the orientation that comes with it.
        await page.setViewport({ width, height }).catch(() => undefined);
        await isTrue(`innerWidth === ${width} && innerHeight === ${height}`);
        await isTrue(`${expression}.length === 0`).catch(async () => {
          throw new Error(`${width} x ${height}: ${JSON.stringify(await page.evaluate(expression))}`);
        });
      }
    },
    close: () => browser.close(),
  };
}
