import { expect, type Page } from "playwright/test";

const STEP_MS = 200;

/** The room has the focus, and its stage has not changed for a second. */
export async function keysAct(host: Page): Promise<void> {
  await expect(host.locator("main")).toHaveAttribute("data-keys", "on");
}

/**
 * The same on a page whose clock stands. Its time goes on only as far as it takes: a page on which so much time has passed at once
 * misses the server's pings, catches up, and rests afterwards.
 */
export async function keysActWhileStopped(host: Page): Promise<void> {
  await expect
    .poll(async () => {
      await host.clock.runFor(STEP_MS);
      return host.locator("main").getAttribute("data-keys");
    })
    .toBe("on");
}

/** Presses keys of the room, each as soon as keys act. */
export async function press(host: Page, ...keys: readonly string[]): Promise<void> {
  for (const key of keys) {
    await keysAct(host);
    if (/^[1-9]$/.test(key)) await chooseRow(host, key);
    else await host.keyboard.press(key);
  }
}

/** The stage can change between the look at the page and the key, which then does nothing. */
async function chooseRow(host: Page, key: string): Promise<void> {
  const row = host.locator(`main [data-key="${key}"]`);
  await expect(async () => {
    await host.keyboard.press(key);
    await expect(row).toHaveAttribute("aria-pressed", "true", { timeout: 100 });
  }).toPass();
}
