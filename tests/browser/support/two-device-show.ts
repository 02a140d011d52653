import type { CallAnswer } from "#src/play/calls/schemas.ts";
import type { EventView } from "#src/show/events/schemas.ts";
import type { SessionView } from "#src/show/sessions/schemas.ts";
import { anotherDevice, apiAs, newPlayer } from "../players.ts";
import { type Api, newGuest } from "../show-host.ts";
import { type Device, type Page, expect, openLive, use } from "./journey.ts";
import { ask, change, runSession } from "./own-show.ts";

/** A show with an open action, which its host decides, without a wait before the payouts. */
export type OpenShow = {
  host: Api;
  session: SessionView;
  /** Of the session, for players. */
  path: string;
  /** The action that is open. */
  open: EventView;
};

/** A show whose actions follow each other without a pause, a player with devices, and an opponent. */
export type BackToBackShow = Omit<OpenShow, "path" | "session"> & {
  player: Api;
  opponent: Api;
  devices: readonly [Page, ...Page[]];
};

/** Starts a show with an open action. */
export async function startShow(name = "Back to back", title = "Question 1?"): Promise<OpenShow> {
  const host = await apiAs("admin");
  const session = await runSession(host, name);
  return { host, session, path: `/sessions/${session.slug}`, open: await ask(host, session.id, title) };
}

/** The same, opened on all devices of a new player. */
export async function startBackToBack([first, ...others]: readonly Device[]): Promise<BackToBackShow> {
  const { host, open, path } = await startShow();
  const player = await newPlayer("unseen", first);
  const devices: [Page, ...Page[]] = [player.page];
  for (const device of others) devices.push(await anotherDevice(player, device));
  for (const page of devices) {
    await openLive(page, path);
    await use(page);
    await resultBarLoaded(page);
  }
  return { host, player: player.api, opponent: await newGuest(), devices, open };
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
