import { type Browser, expect, type Page } from "playwright/test";
import type { EventView } from "#src/show/events/schemas.ts";
import type { SessionView } from "#src/show/sessions/schemas.ts";
import { apiAs } from "../players.ts";
import { type Api, apiOf } from "../show-host.ts";
import { layoutShiftOf, recordLayoutShifts, takeMovedParts } from "./layout-shifts.ts";
import { ask, change, register, runSession } from "./own-show.ts";
import { hydrated, use } from "./page.ts";
import type { Device } from "./two-device-show.ts";

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
  const host = await apiAs(browser, origin, "admin");
  const session = await runSession(host, "For two");
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
  const { username } = await register(api, name);
  const page = await context.newPage();
  await page.goto(`/sessions/${session.slug}`);
  await hydrated(page);
  await use(page);
  await page.locator(".reactions-toggle").waitFor();
  return { page, api, name: username };
}

/** Opens an action on both phones. */
export async function askBoth({ host, session, players }: TwoPlayerShow, title: string): Promise<EventView> {
  const asked = await ask(host, session.id, title);
  // A sheet may be over it.
  for (const { page } of players) await expect(page.locator(".card-q")).toHaveText(title);
  return asked;
}

/** Closes an action and decides it. */
export async function closeWith({ host }: TwoPlayerShow, event: EventView, result: boolean): Promise<void> {
  await change(host, event, { state_event: "close_event" });
  await change(host, event, { state_event: "resolve", result });
}

/** Expects that nothing on the phones has moved by itself. */
export async function expectNothingMoved({ players }: TwoPlayerShow): Promise<void> {
  for (const { page, name } of players) {
    const score = await layoutShiftOf(page);
    const moved = await takeMovedParts(page);
    expect(score.toFixed(2), [name, ...moved].join("\n")).toBe("0.00");
  }
}
