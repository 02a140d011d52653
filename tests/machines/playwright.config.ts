import path from "node:path";
import { defineConfig } from "playwright/test";
import journeys from "#tests/browser/playwright.config.ts";

// All journeys of tests/browser, through nginx. prove.ts starts the machines and this.
export default defineConfig(journeys, {
  globalSetup: path.join(import.meta.dirname, "name-product.ts"),
});
