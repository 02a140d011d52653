import type { CallView } from "#src/play/calls/schemas.ts";
import { type Device, type Page, expect, productUrl } from "./journey.ts";
import { type QuietNetwork, startQuietNetwork } from "./quiet-network.ts";
import { type BackToBackShow, startBackToBack } from "./two-device-show.ts";

/** A show of one player with one phone, and an opponent. */
export type Play = { show: BackToBackShow; page: Page };

/** Starts it, with its first action open. */
export async function play(device: Device = {}): Promise<Play> {
  const show = await startBackToBack([device]);
  return { show, page: show.devices[0] };
}

export const side = (page: Page, name: "True" | "False") =>
  page.getByRole("radio", { name: new RegExp(`${name}\\.`) });
export const slip = (page: Page) => page.locator(".card .mine");
export const cancel = (page: Page) => page.getByRole("button", { name: "Cancel" });
export const undo = (page: Page) => page.getByRole("button", { name: /^Undo/ });

/** The player's calls, with those that were taken back. */
export async function callsOf({ show }: Play): Promise<{ placed: CallView[]; takenBack: CallView[] }> {
  const list = (state: string) =>
    show.player<{ calls: CallView[] }>("GET", `/api/v1/calls?state=${state}&per_page=100`);
  const [{ calls: placed }, { calls: takenBack }] = [await list("placed"), await list("soft_destroyed")];
  return { placed, takenBack };
}

/** The server has so many calls of the player: what the page shows at once may not have been answered yet. */
export async function expectCalls(
  game: Play,
  expected: { placed?: number; takenBack?: number },
): Promise<void> {
  const { placed, takenBack } = expected;
  await expect
    .poll(async () => {
      const calls = await callsOf(game);
      return {
        ...(placed === undefined ? {} : { placed: calls.placed.length }),
        ...(takenBack === undefined ? {} : { takenBack: calls.takenBack.length }),
      };
    })
    .toEqual(expected);
}

/** Records whether the page alerts of something from now on: a toast is there for five seconds only. @returns waits for it. */
export async function watchAlerts(page: Page, words: string): Promise<() => Promise<void>> {
  const watch = await page.evaluateHandle((text) => {
    const seen = { isTold: false };
    const look = () => {
      const alerts = [...document.querySelectorAll('[role="alert"]')];
      seen.isTold ||= alerts.some((alert) => alert.checkVisibility() && alert.textContent.includes(text));
    };
    new MutationObserver(look).observe(document.body, {
      childList: true,
      characterData: true,
      subtree: true,
    });
    return seen;
  }, words);
  return () => expect.poll(() => watch.evaluate(({ isTold }) => isTold)).toBe(true);
}

/** The sides take a further call, because the pause after one is over, or no money is left for one. */
export async function ready(page: Page): Promise<void> {
  for (const name of ["True", "False"] as const) {
    const takesCall = side(page, name).and(page.locator('[aria-disabled="false"]'));
    await expect(takesCall.or(side(page, name).filter({ hasText: "Nothing left" }))).toBeVisible();
  }
}

/**
 * The calls on the card are placed, not only sent or just taken back, and the pause after them is over.
 * @param called the side and the sum, as the slip shows them.
 */
export async function placed(page: Page, called: string): Promise<void> {
  await expect(slip(page).filter({ has: cancel(page) })).toContainText(called);
  await ready(page);
}

/** A show of one phone on a network that can go silent. */
export async function playOnQuietNetwork(): Promise<Play & { network: QuietNetwork }> {
  const network = await startQuietNetwork(productUrl());
  return { network, ...(await play({ baseURL: network.url })) };
}
