import type { EventView } from "#src/show/events/schemas.ts";
import type { SessionView } from "#src/show/sessions/schemas.ts";
import { apiAs, newPlayer, type Player } from "../players.ts";
import type { Api } from "../show-host.ts";
import { type Device, expect, openLive, use } from "./journey.ts";
import { layoutShiftOf, recordLayoutShifts, takeMovedParts } from "./layout-shifts.ts";
import { ask, change, runSession } from "./own-show.ts";

/** A show of two players, each with an account and a phone. */
export type TwoPlayerShow = { host: Api; session: SessionView; players: readonly [Player, Player] };

/** Starts a show beside the rehearsal, and opens it on the phones of two new players. */
export async function startForTwo([first, second]: readonly [Device, Device]): Promise<TwoPlayerShow> {
  const host = await apiAs("admin");
  const session = await runSession(host, "For two");
  const players = [await playerOn(session, "one", first), await playerOn(session, "two", second)] as const;
  return { host, session, players };
}

async function playerOn({ slug }: SessionView, name: string, device: Device): Promise<Player> {
  const player = await newPlayer(name, device);
  const { page } = player;
  await recordLayoutShifts(page.context());
  await openLive(page, `/sessions/${slug}`);
  await use(page);
  await page.locator(".reactions-toggle").waitFor();
  return player;
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
  for (const { page, username } of players) {
    const score = await layoutShiftOf(page);
    const moved = await takeMovedParts(page);
    expect(score.toFixed(2), [username, ...moved].join("\n")).toBe("0.00");
  }
}
