import { existsSync } from "node:fs";
import { chromium } from "playwright";
import { findProgram } from "#db/embedded/find-program.ts";

const applications = [
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
  const found = findProgram("chromium", "chromium-browser", "google-chrome-stable", "google-chrome");
  const others = [...applications, chromium.executablePath()];
  return found ?? others.find((file) => existsSync(file)) ?? null;
}

/** The same. @throws with what to install, if there is none. */
export function requireChromium(): string {
  const file = findChromium();
  if (file === null) throw new Error(chromiumInstallHint);
  return file;
}

/** Debian's package of the headless shell, and its program. */
export const SHELL_PACKAGE = "chromium-headless-shell";

/**
 * The path of the headless shell: Chromium without the window around a page, which costs four fifths of what a new page costs. It is
 * what Playwright itself would run. Null where it is not installed.
 */
export function findShell(): string | null {
  return findProgram(SHELL_PACKAGE);
}

/** The headless shell, or else the whole browser. @throws with what to install, if there is neither. */
export function requireShell(): string {
  return findShell() ?? requireChromium();
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
