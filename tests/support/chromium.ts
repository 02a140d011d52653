import { existsSync } from "node:fs";
import { chromium } from "playwright";

const folders = ["/usr/bin", "/usr/local/bin", "/opt/homebrew/bin", "/snap/bin"];
const names = ["chromium", "chromium-browser", "google-chrome-stable", "google-chrome"];
const places = [
  ...folders.flatMap((folder) => names.map((name) => `${folder}/${name}`)),
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
];

/** What to tell a person whose machine has no browser for the journeys. */
export const chromiumCure =
  "The journeys need Chromium, and there is none on this machine. Install it:\n" +
  "  Debian, Ubuntu   sudo apt-get install chromium\n" +
  "  Fedora, RHEL     sudo dnf install chromium\n" +
  "  Alpine           sudo apk add chromium\n" +
  "  others           npx playwright install chromium";

/** The browser that the journeys run in: the system's own, or the one that Playwright downloaded; null for none. */
export function findChromium(): string | null {
  return [...places, chromium.executablePath()].find((place) => existsSync(place)) ?? null;
}

/** Root may not use the browser's sandbox; nothing is to be fetched or measured behind our back. */
export const chromiumFlags = [
  ...(process.getuid?.() === 0 ? ["--no-sandbox"] : []),
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];
