import { existsSync } from "node:fs";
import { chromium } from "playwright";

const folders = ["/usr/bin", "/usr/local/bin", "/opt/homebrew/bin", "/snap/bin"];
const names = ["chromium", "chromium-browser", "google-chrome-stable", "google-chrome"];
const candidates = [
  ...folders.flatMap((folder) => names.map((name) => `${folder}/${name}`)),
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
];

/** The message for a machine without a browser for the journeys. */
export const chromiumInstallHint =
  "The journeys need Chromium, and there is none on this machine. Install it:\n" +
  "  Debian, Ubuntu   sudo apt-get install chromium\n" +
  "  Fedora, RHEL     sudo dnf install chromium\n" +
  "  Alpine           sudo apk add chromium\n" +
  "  others           npx playwright install chromium";

/** The path of the browser: the system's, or the one that Playwright downloaded; null for none. */
export function findChromium(): string | null {
  return [...candidates, chromium.executablePath()].find((file) => existsSync(file)) ?? null;
}

const SHELL = "/usr/bin/chromium-headless-shell";

/** Debian's package of the headless shell. */
export const SHELL_PACKAGE = "chromium-headless-shell";

/**
 * The path of the headless shell: Chromium without the window around a page, which costs four fifths of what a new page costs. It is
 * what Playwright itself would run. Null where it is not installed.
 */
export function findShell(): string | null {
  return existsSync(SHELL) ? SHELL : null;
}

/** Root cannot use the browser's sandbox. The browser must not send requests of its own. */
export const chromiumFlags = [
  ...(process.getuid?.() === 0 ? ["--no-sandbox"] : []),
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  // The headless shell would round each letter to whole pixels, which makes texts wider than people see them.
  "--font-render-hinting=none",
];
