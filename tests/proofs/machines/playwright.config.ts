import path from "node:path";
import { defineConfig } from "playwright/test";
import journeys from "#tests/browser/playwright.config.ts";
import { PROOF } from "#tests/browser/support/journey.ts";
import { showJourneys } from "../show-journeys.ts";

// The journeys of a show, through nginx. prove.ts starts the machines and this.
export default defineConfig(journeys, {
  grepInvert: new RegExp(PROOF),
  testMatch: showJourneys.map((name) => new RegExp(`${name}.*\\.spec\\.ts$`)),
  globalSetup: path.join(import.meta.dirname, "name-product.ts"),
});
