import path from "node:path";
import { defineConfig } from "playwright/test";
import { chromiumFlags, findChromium } from "#tests/support/chromium.ts";
import { findProduct, TOP } from "./support/product.ts";

const JOURNEY_WITHIN_MS = 180_000;
const EXPECT_WITHIN_MS = 15_000;

// Run by `bun run test`, or alone: bun --bun node_modules/.bin/playwright test -c tests/browser/playwright.config.ts
export default defineConfig({
  testDir: import.meta.dirname,
  testMatch: "*.spec.ts",
  outputDir: path.join(TOP, "test-results"),
  globalSetup: path.join(import.meta.dirname, "support/start-product.ts"),
  timeout: JOURNEY_WITHIN_MS,
  expect: { timeout: EXPECT_WITHIN_MS },
  // One product serves all journeys, and two browsers at once are enough for two cores.
  workers: 2,
  fullyParallel: true,
  forbidOnly: true,
  reporter: "list",
  use: {
    // This file is read again by every worker, and by then the product is there.
    baseURL: findProduct()?.url,
    browserName: "chromium",
    headless: true,
    launchOptions: { executablePath: findChromium() ?? "chromium", args: chromiumFlags },
    screenshot: "only-on-failure",
    // Without the film, which costs as much as the journey.
    trace: { mode: "retain-on-failure", screenshots: false, snapshots: true },
  },
});
