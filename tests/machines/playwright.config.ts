import path from "node:path";
import { defineConfig } from "playwright/test";
import journeys from "#tests/browser/playwright.config.ts";
import { PLAIN } from "#tests/browser/support/journey.ts";

// The journeys of tests/browser, through nginx. prove.ts starts the machines and this.
export default defineConfig(journeys, {
  grepInvert: new RegExp(PLAIN),
  globalSetup: path.join(import.meta.dirname, "name-product.ts"),
});
