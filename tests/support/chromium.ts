import { existsSync } from "node:fs";
import { chromium } from "playwright";
import { findProgram } from "#db/embedded/find-program.ts";
import { findOrInstall, type Program } from "#db/embedded/programs.ts";

const applications = [
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
];

/** The browser of the journeys: the system's, or the one that Playwright downloaded. */
export const chromiumProgram: Program = {
  name: "Chromium",
  packages: { "apt-get": "chromium" },
  find: () => {
    const found = findProgram("chromium", "chromium-browser", "google-chrome-stable", "google-chrome");
    const others = [...applications, chromium.executablePath()];
    return found ?? others.find((file) => existsSync(file)) ?? null;
  },
};

/**
 * The headless shell of Debian: Chromium without the window around a page, which costs four fifths of what a new page costs. It is what
 * Playwright itself would run. Journeys pass in the whole Chromium too, and take longer.
 */
export const shellProgram: Program = {
  name: "Chromium's headless shell",
  packages: { "apt-get": "chromium-headless-shell" },
  find: () => findProgram("chromium-headless-shell"),
};

/** The path of the whole browser; see findOrInstall. */
export const requireChromium = () => findOrInstall(chromiumProgram);

/** The path of the headless shell, or else of the whole browser. */
export const requireShell = () => shellProgram.find() ?? requireChromium();

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
