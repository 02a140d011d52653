import path from "node:path";
import { defineConfig } from "playwright/test";
import journeys from "#tests/browser/playwright.config.ts";
import { PROOF } from "#tests/browser/support/journey.ts";

// The journeys of each day, through nginx. prove.ts starts the machines and this.
export default defineConfig(journeys, {
  grepInvert: new RegExp(PROOF),
  globalSetup: path.join(import.meta.dirname, "name-product.ts"),
});
