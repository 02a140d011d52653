import type { Page } from "playwright/test";

/** Pages that say that something is not there. */
const answeredWith404 = ["/nowhere", "/join?code=O0O"];

/** Collects the browser's complaints: console messages, uncaught errors, blocked content. */
export function complaintsOf(page: Page): string[] {
  const complaints: string[] = [];
  page.on("pageerror", (error) => complaints.push(`uncaught: ${error.message}`));
  page.on("console", (message) => {
    const missing =
      message.text().includes("404") && answeredWith404.some((path) => message.location().url.endsWith(path));
    // The journeys run without one.
    if (message.text() === "Service Worker registration blocked by Playwright") return;
    if (["error", "warning"].includes(message.type()) && !missing) complaints.push(message.text());
  });
  return complaints;
}
