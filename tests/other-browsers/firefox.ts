import puppeteer from "puppeteer-core";
import { controlPath, fieldPath, IS_LIVE, isShown, type Visitor, WITHIN_MS } from "./visitor.ts";

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
  const find = (path: string) => page.locator(`xpath/${path}`);
  const isLive = () => page.waitForFunction(IS_LIVE);
  return {
    browser: await browser.version(),
    open: async (url) => {
      await page.goto(url);
      await isLive();
    },
    fill: (label, text) => find(fieldPath(label)).fill(text),
    press: async (name) => {
      await isLive();
      await find(controlPath(name)).click();
    },
    sees: async (text) => {
      await page.waitForFunction(isShown(text));
    },
    close: () => browser.close(),
  };
}
