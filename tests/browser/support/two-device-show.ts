import { type Browser, expect, type Page } from "playwright/test";
import type { CallAnswer } from "#src/play/calls/schemas.ts";
import type { EventView } from "#src/show/events/schemas.ts";
import { apiAs } from "../players.ts";
import { type Api, apiOf, guestAt } from "../show-host.ts";
import { type Account, ask, change, register, runSession, signIn } from "./own-show.ts";
import { hydrated, use } from "./page.ts";

/** A player's device: what it shows of the game, and how. */
export type Device = NonNullable<Parameters<Browser["newContext"]>[0]>;

/** A show whose actions follow each other without a pause, a player with devices, and an opponent. */
export type BackToBackShow = {
  host: Api;
  player: Api;
  opponent: Api;
  devices: readonly Page[];
  /** The action that is open. */
  open: EventView;
};

/** A show with an open action, which its host decides, without a wait before the payouts. */
export async function startShow(
  browser: Browser,
  origin: string,
): Promise<Pick<BackToBackShow, "host" | "open"> & { slug: string }> {
  const host = await apiAs(browser, origin, "admin");
  const { id, slug } = await runSession(host, "Back to back");
  const open = await ask(host, id, "Question 1?");
  return { host, open, slug };
}

/** Starts a show with its first action open, and opens it on all devices of a new player. */
export async function startBackToBack(
  browser: Browser,
  origin: string,
  options: readonly Device[],
): Promise<BackToBackShow> {
  const { host, open, slug } = await startShow(browser, origin);
  let account: Account | undefined;
  const devices: Page[] = [];
  for (const device of options) {
    const context = await browser.newContext(device);
    const api = apiOf(context, origin);
    if (account !== undefined) await signIn(api, account);
    account ??= await register(api, "unseen");
    const page = await context.newPage();
    await page.goto(`/sessions/${slug}`);
    await hydrated(page);
    await use(page);
    await resultBarLoaded(page);
    devices.push(page);
  }
  const [first] = devices;
  if (first === undefined) throw new Error("The player needs a device.");
  const opponent = await guestAt(browser, origin);
  return { host, player: apiOf(first.context(), origin), opponent, devices, open };
}

/** Waits for the code of the result bar, which is fetched late. */
export async function resultBarLoaded(page: Page): Promise<void> {
  const isLoaded = "performance.getEntriesByType('resource').some(({ name }) => /\\/result-bar-/.test(name))";
  await expect.poll(() => page.evaluate<boolean>(isLoaded)).toBe(true);
}

/** Calls the side of an action. @param wager in dollars. */
export async function callSide(
  caller: Api,
  event: EventView,
  side: "true" | "false",
  wager = 5,
): Promise<void> {
  const spot = event.spots.find((each) => each.side === side);
  await caller<CallAnswer>("POST", "/api/v1/calls", { call: { spot_id: spot?.id, wager } });
}

/** Closes the open action and opens the next one at once, which takes the card of all devices. @returns the closed one. */
export async function goOn(show: BackToBackShow): Promise<EventView> {
  const closed = show.open;
  const number = Number(/\d+/.exec(closed.title)?.[0]) + 1;
  await change(show.host, closed, { state_event: "close_event" });
  show.open = await ask(show.host, closed.sessionId, `Question ${number}?`);
  for (const device of show.devices)
    await expect(device.getByRole("heading", { name: show.open.title })).toBeVisible();
  return closed;
}

/** Decides an action, or corrects it. */
export async function decide(
  { host }: Pick<BackToBackShow, "host">,
  event: EventView,
  result: boolean | "void",
  reason?: string,
): Promise<void> {
  const why = reason === undefined ? {} : { reason };
  await change(host, event, { state_event: "resolve", result, ...why });
}

/** Locks a phone, as its page sees it, or unlocks it. */
export async function lock(device: Page, isLocked: boolean): Promise<void> {
  await device.evaluate(
    (state) => {
      Object.defineProperty(document, "visibilityState", { value: state, configurable: true });
      document.dispatchEvent(new Event("visibilitychange"));
    },
    isLocked ? "hidden" : "visible",
  );
}
