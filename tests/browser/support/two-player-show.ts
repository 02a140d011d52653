import { type Browser, expect, type Page } from "playwright/test";
import type { EventView } from "#src/show/events/schemas.ts";
import type { SessionView } from "#src/show/sessions/schemas.ts";
import { signedIn } from "../players.ts";
import { type Api, apiOf } from "../show-host.ts";
import { layoutShiftOf, recordLayoutShifts, takeMovedParts } from "./layout-shifts.ts";
import type { Device } from "./two-device-show.ts";
import { use } from "./use-page.ts";
import { hydrated } from "./write-blueprint.ts";

const PASSWORD = "nine lives and a day";
const OPEN_FOR_S = 1_200;

/** A player's phone, and the player as a caller of the API. */
export type PlayerPhone = { page: Page; api: Api; name: string };
/** A show of two players, each with an account and a phone. */
export type TwoPlayerShow = { host: Api; session: SessionView; players: readonly [PlayerPhone, PlayerPhone] };

/** Starts a show beside the rehearsal, and opens it on the phones of two new players. */
export async function startForTwo(
  browser: Browser,
  origin: string,
  [first, second]: readonly [Device, Device],
): Promise<TwoPlayerShow> {
  const admin = await signedIn(browser, "admin");
  const host = apiOf(admin.context(), origin);
  await admin.close();
  const { session } = await host<{ session: SessionView }>("POST", "/api/v1/sessions", {
    session: { name: `For two ${Date.now()}`, settings: { settlement_delay_seconds: 0 } },
  });
  // An action that never comes keeps the show open.
  const later = { session_id: session.id, title: "Later?", start_mode: "offset", offset_seconds: 3_600 };
  await host("POST", "/api/v1/events", { event: later });
  const started = await host<{ session: SessionView }>("PUT", `/api/v1/sessions/${session.slug}/start`);
  // The active flag belongs to the demo's rehearsals.
  if (started.session.active) await host("PUT", `/api/v1/sessions/${session.slug}/deactivate`);
  const players = [
    await playerOn(browser, { origin, session, device: first, name: "one" }),
    await playerOn(browser, { origin, session, device: second, name: "two" }),
  ] as const;
  return { host, session, players };
}

type NewPlayer = { origin: string; session: SessionView; device: Device; name: string };

async function playerOn(
  browser: Browser,
  { origin, session, device, name }: NewPlayer,
): Promise<PlayerPhone> {
  const context = await browser.newContext(device);
  await recordLayoutShifts(context);
  const api = apiOf(context, origin);
  const username = `${name}_${Date.now() % 1e9}`;
  const account = { email: `${username}@example.test`, username, password: PASSWORD };
  await api("POST", "/users/guest_registration", {
    user: { ...account, password_confirmation: PASSWORD, terms: true },
  });
  const page = await context.newPage();
  await page.goto(`/sessions/${session.slug}`);
  await hydrated(page);
  await use(page);
  await page.locator(".reactions-toggle").waitFor();
  return { page, api, name: username };
}

/** Opens an action on both phones. */
export async function askBoth({ host, session, players }: TwoPlayerShow, title: string): Promise<EventView> {
  const event = { session_id: session.id, title, duration_seconds: OPEN_FOR_S, ask: true };
  const asked = await host<{ event: EventView }>("POST", "/api/v1/events", { event });
  // A sheet may be over it.
  for (const { page } of players) await expect(page.locator(".card-q")).toHaveText(title);
  return asked.event;
}

/** Closes an action and decides it. */
export async function closeWith({ host }: TwoPlayerShow, { id }: EventView, result: boolean): Promise<void> {
  const state = `/api/v1/events/${id}/state`;
  await host("PATCH", state, { event: { state_event: "close_event" } });
  await host("PATCH", state, { event: { state_event: "resolve", result } });
}

/** Expects that nothing on the phones has moved by itself. */
export async function expectNothingMoved({ players }: TwoPlayerShow): Promise<void> {
  for (const { page, name } of players) {
    const score = await layoutShiftOf(page);
    const moved = await takeMovedParts(page);
    expect(score.toFixed(2), [name, ...moved].join("\n")).toBe("0.00");
  }
}
