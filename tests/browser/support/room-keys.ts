import { expect, type Page } from "playwright/test";

const STEP_MS = 200;
const CLICK_WITHIN_MS = 2_000;

/** What this host arms from the next page on stays so until it is done or disarmed, however slow the machine is. */
export async function letArmedStay(host: Page): Promise<void> {
  await host.addInitScript(() => localStorage.setItem("armed", "stays"));
}

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
  for (const key of keys) await untilTaken(host, () => host.keyboard.press(key));
}

/**
 * Presses a key of the room as soon as keys act, and again until it has acted: the stage can change between the look at the page
 * and the key, which then does nothing.
 * @param untilKeysAct waits until keys act.
 */
export async function untilTaken(
  host: Page,
  pressKey: () => Promise<void>,
  untilKeysAct = keysAct,
): Promise<void> {
  await expect(async () => {
    await untilKeysAct(host);
    const isTaken = await watchKeys(host);
    await pressKey();
    expect(await isTaken()).toBe(true);
  }).toPass();
}

/** A key that acts clicks a button of the room. */
async function watchKeys(host: Page): Promise<() => Promise<boolean>> {
  const watch = await host.evaluateHandle(() => {
    const seen = { isTaken: false };
    const note = ({ target, defaultPrevented }: MouseEvent) => {
      const isOfRoom = target instanceof Element && target.closest("main [data-key]") !== null;
      if (isOfRoom && !defaultPrevented) seen.isTaken = true;
    };
    document.addEventListener("click", note, { capture: true });
    return seen;
  });
  return () => watch.evaluate(({ isTaken }) => isTaken);
}

/** Confirms what is armed by its button, again until it is done: where the button that armed it was, no press acts for a second. */
export async function confirmArmed(host: Page, name: string): Promise<void> {
  const confirm = host.getByRole("button", { name });
  await expect(confirm).toBeVisible();
  await expect(async () => {
    if (await confirm.isVisible()) await confirm.click({ timeout: CLICK_WITHIN_MS });
    await expect(confirm).toBeHidden({ timeout: CLICK_WITHIN_MS });
  }).toPass();
}
