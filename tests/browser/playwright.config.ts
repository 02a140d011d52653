import path from "node:path";
import { defineConfig } from "playwright/test";
import { chromiumFlags, findChromium } from "#tests/support/chromium.ts";
import { findProduct, TOP } from "./support/product.ts";

const JOURNEY_WITHIN_MS = 480_000;
const EXPECT_WITHIN_MS = 30_000;
/** A click on what is not there fails then, and not when its journey's time is over. */
const ACTION_WITHIN_MS = 120_000;

// Run by `bun run test`, or alone: bun --bun node_modules/.bin/playwright test -c tests/browser/playwright.config.ts
export default defineConfig({
  testDir: import.meta.dirname,
  testMatch: "*.spec.ts",
  outputDir: path.join(TOP, "test-results"),
  globalSetup: path.join(import.meta.dirname, "support/start-product.ts"),
  timeout: JOURNEY_WITHIN_MS,
  expect: { timeout: EXPECT_WITHIN_MS },
  // All journeys share one product; two browsers at once use two cores.
  workers: 2,
  fullyParallel: true,
  forbidOnly: true,
  // On a machine whose host takes CPU time away for seconds, an armed action may expire. Such a journey runs again, and the output
  // names it as flaky.
  retries: 1,
  reporter: "list",
  use: {
    // Every worker reads this file again; by then the product has started.
    baseURL: findProduct()?.url,
    browserName: "chromium",
    actionTimeout: ACTION_WITHIN_MS,
    headless: true,
    // A journey's own routes do not see what a service worker fetches. The journeys about it allow it.
    serviceWorkers: "block",
    launchOptions: { executablePath: findChromium() ?? "chromium", args: chromiumFlags },
    screenshot: "only-on-failure",
    // A journey that has failed is recorded when it runs once more: recording all of them would take an eighth of their time. Without
    // screenshots, which would take as long as the journey itself.
    trace: { mode: "on-first-retry", screenshots: false, snapshots: true },
  },
});
