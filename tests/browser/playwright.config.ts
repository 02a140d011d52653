import path from "node:path";
import { defineConfig } from "playwright/test";
import { chromiumFlags, requireShell } from "#tests/support/chromium.ts";
import { findProduct, TOP } from "./support/product.ts";
import { isOnSlowNetwork } from "./support/slow-network.ts";

const JOURNEY_WITHIN_MS = 480_000;
const EXPECT_WITHIN_MS = 30_000;
/** A click on what is not there, or a page that does not come, fails then, and not when its journey's time is over. */
const ACTION_WITHIN_MS = 30_000;

// Run by `bun run test`, or alone: bun --bun node_modules/.bin/playwright test -c tests/browser/playwright.config.ts
export default defineConfig({
  testDir: import.meta.dirname,
  testMatch: "*.spec.ts",
  // A passkey belongs to the product's own address.
  testIgnore: isOnSlowNetwork() ? "passkeys.spec.ts" : [],
  outputDir: path.join(TOP, "test-results"),
  globalSetup: path.join(import.meta.dirname, "support/start-product.ts"),
  timeout: JOURNEY_WITHIN_MS,
  expect: { timeout: EXPECT_WITHIN_MS },
  // All journeys share one product. They wait for more than half of their time, for shows, results and delays.
  workers: 3,
  fullyParallel: true,
  forbidOnly: true,
  // A journey that passes at the second try is a journey that fails.
  retries: 0,
  reporter: "list",
  use: {
    // Every worker reads this file again; by then the product has started.
    baseURL: findProduct()?.url,
    browserName: "chromium",
    actionTimeout: ACTION_WITHIN_MS,
    navigationTimeout: ACTION_WITHIN_MS,
    headless: true,
    // A journey's own routes do not see what a service worker fetches. The journeys about it allow it.
    serviceWorkers: "block",
    launchOptions: { executablePath: requireShell(), args: chromiumFlags },
    screenshot: "only-on-failure",
    // Recording all journeys would take an eighth of their time. `--trace on` records one.
    trace: "off",
  },
});
