import AxeBuilder from "@axe-core/playwright";
import { expect, type Page } from "playwright/test";
import { inspectPage } from "./inspect-page.ts";

/**
 * What axe complains about. It runs in the page alone, where all its rules are: without a page of its own for frames, of which
 * the product has none, it takes half the time.
 */
export async function violationsOf(page: Page): Promise<string[]> {
  await page.evaluate(() => Promise.allSettled(document.getAnimations().map(({ finished }) => finished)));
  const { violations } = await new AxeBuilder({ page }).setLegacyMode(true).analyze();
  return violations.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.html}`));
}

/** The page as it is now: axe finds nothing, and nothing is cut off, covered or too small. */
export async function expectSound(page: Page): Promise<void> {
  expect([...(await violationsOf(page)), ...(await inspectPage(page))]).toEqual([]);
}
