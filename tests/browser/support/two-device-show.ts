import { type Browser, expect, type Page } from "playwright/test";
import type { CallAnswer } from "#src/play/calls/schemas.ts";
import type { EventView } from "#src/show/events/schemas.ts";
import type { SessionView } from "#src/show/sessions/schemas.ts";
import { signedIn } from "../players.ts";
import { type Api, apiOf, guestAt } from "../show-host.ts";
import { use } from "./use-page.ts";
import { hydrated } from "./write-blueprint.ts";

const PASSWORD = "nine lives and a day";
const OPEN_FOR_S = 1_200;

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
  const admin = await signedIn(browser, "admin");
  const host = apiOf(admin.context(), origin);
  const { session } = await host<{ session: SessionView }>("POST", "/api/v1/sessions", {
    session: { name: `Back to back ${Date.now()}`, settings: { settlement_delay_seconds: 0 } },
  });
  const later = { session_id: session.id, title: "Later?", start_mode: "offset", offset_seconds: 3_600 };
  await host("POST", "/api/v1/events", { event: later });
  const started = await host<{ session: SessionView }>("PUT", `/api/v1/sessions/${session.slug}/start`);
  // The active flag belongs to the demo's rehearsals.
  if (started.session.active) await host("PUT", `/api/v1/sessions/${session.slug}/deactivate`);
  const open = await ask(host, session.id, "Question 1?");
  await admin.close();
  return { host, open, slug: session.slug };
}

/** Starts a show with its first action open, and opens it on all devices of a new player. */
export async function startBackToBack(
  browser: Browser,
  origin: string,
  options: readonly Device[],
): Promise<BackToBackShow> {
  const { host, open, slug } = await startShow(browser, origin);
  const email = `unseen_${Date.now() % 1e9}@example.test`;
  const devices: Page[] = [];
  for (const device of options) {
    const context = await browser.newContext(device);
    await signIn(apiOf(context, origin), email, devices.length === 0);
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

/** Registers the player on the first device, and signs in on the others. */
async function signIn(api: Api, email: string, isNew: boolean): Promise<void> {
  if (!isNew) return void (await api("POST", "/users/sign_in", { user: { email, password: PASSWORD } }));
  const user = { email, username: email.split("@")[0], password: PASSWORD };
  await api("POST", "/users/guest_registration", {
    user: { ...user, password_confirmation: PASSWORD, terms: true },
  });
}

async function ask(host: Api, sessionId: number | null, title: string): Promise<EventView> {
  const event = { session_id: sessionId, title, duration_seconds: OPEN_FOR_S, ask: true };
  return (await host<{ event: EventView }>("POST", "/api/v1/events", { event })).event;
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
  await show.host("PATCH", `/api/v1/events/${closed.id}/state`, { event: { state_event: "close_event" } });
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
  await host("PATCH", `/api/v1/events/${event.id}/state`, {
    event: { state_event: "resolve", result, ...(reason === undefined ? {} : { reason }) },
  });
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
