import { expect, type Page } from "playwright/test";

const CLOSED_WITHIN_MS = 500;
const PRESSED_WITHIN_MS = 5_000;

export const resultBar = (device: Page) => device.locator(".card .announced");

/**
 * Puts the focus into each result bar as soon as it comes, also after the page was loaded again: so it stays until it is closed. By
 * itself it leaves after some seconds, which a busy machine may need for the first look.
 * @returns lets it go on the page as it is now.
 */
export async function holdResultBars(device: Page): Promise<() => Promise<void>> {
  const hold = () => {
    const observer = new MutationObserver(() => {
      const bar = document.querySelector(".card .announced");
      if (bar?.contains(document.activeElement) === false) bar.querySelector("button")?.focus();
    });
    observer.observe(document, { subtree: true, childList: true });
    Object.assign(globalThis, { stopHolding: () => observer.disconnect() });
  };
  await device.addInitScript(hold);
  await device.evaluate(hold);
  return async () => {
    await device.evaluate("stopHolding()");
    await resultBar(device).getByRole("button").blur();
  };
}

/** Closes the result bar. It takes no press for a second after it has come, and may be gone before the next look. */
export async function closeResultBar(device: Page): Promise<void> {
  const close = device.getByRole("button", { name: "Close this result" });
  await expect(async () => {
    if (await close.isVisible()) await close.click({ timeout: PRESSED_WITHIN_MS });
    await expect(resultBar(device)).toHaveCount(0, { timeout: CLOSED_WITHIN_MS });
  }).toPass();
}
