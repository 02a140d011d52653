import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import AxeBuilder from "@axe-core/playwright";
import { expect, type Page } from "playwright/test";
import { inspectPage, untilStill } from "./inspect-page.ts";

const WITHOUT_AXE = "undefined";
/** What a page is sent that has axe already: its source is large, also without comments and spaces. */
const NOTHING = "0";
const axeOf = createRequire(import.meta.resolve("@axe-core/playwright"));
const axeSource = readFileSync(axeOf.resolve("axe-core/axe.min.js"), "utf8");

/**
 * What axe complains about. It runs in the page alone, where all its rules are: without a page of its own for frames, of which
 * the product has none, without lists of what is right, and without loading the styles and sounds again, it takes half the time.
 */
export async function violationsOf(page: Page): Promise<string[]> {
  await page.evaluate(untilStill);
  const isNew = (await page.evaluate("typeof axe")) === WITHOUT_AXE;
  const axe = new AxeBuilder({ page, axeSource: isNew ? axeSource : NOTHING }).setLegacyMode(true);
  const { violations } = await axe.options({ resultTypes: ["violations"], preload: false }).analyze();
  return violations.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.html}`));
}

/** The page as it is now: axe finds nothing, and nothing is cut off, covered or too small. */
export async function expectSound(page: Page): Promise<void> {
  expect([...(await violationsOf(page)), ...(await inspectPage(page))]).toEqual([]);
}
