import { expect, type Locator, type Page } from "playwright/test";

const GONE_WITHIN_MS = 500;
export const PRESSED_WITHIN_MS = 5_000;

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

export const closeIn = (device: Page) => device.getByRole("button", { name: "Close this result" });

/** Closes the result bar, which may be gone before the next look. */
export function closeResultBar(device: Page): Promise<void> {
  return pressUntilGone(closeIn(device), resultBar(device));
}

/** Presses what closes a part, while it is there. A place takes no press for a second after its control has changed. */
export async function pressUntilGone(close: Locator, part: Locator): Promise<void> {
  await expect(async () => {
    if (await part.isVisible()) await close.click({ timeout: PRESSED_WITHIN_MS });
    await expect(part).toHaveCount(0, { timeout: GONE_WITHIN_MS });
  }).toPass();
}
