import { expect, type Page } from "playwright/test";
import type { CallView } from "#src/play/calls/schemas.ts";
import type { EventView } from "#src/show/events/schemas.ts";
import type { SessionView } from "#src/show/sessions/schemas.ts";
import { desk, newGuestPage, newPlayer, signedIn } from "../players.ts";
import { type Api, apiOf, eventsIn, newGuest } from "../show-host.ts";
import { openLive } from "./journey.ts";
import { add, createSession, signIn, startSession } from "./own-show.ts";
import { letArmedStay, press } from "./room-keys.ts";
import { callSide } from "./two-device-show.ts";

/** The actions of the show. */
export const EVENTS = 6;
const WAGER = 5;
const GRANTED = 100;
/** A phone announces one result after the other. */
const TOLD_WITHIN_MS = 60_000;

declare global {
  interface Window {
    /** Every text of the result bar. */
    announced: string[];
  }
}

export const titleOf = (number: number) => `Question ${number}?`;

export type HostedShow = { api: Api; session: SessionView };

export type TwoHostShow = HostedShow & {
  ana: Page;
  ben: Page;
  nameOfBen: string;
  players: { apis: Api[]; pages: Page[] };
};

/**
 * A session of six actions, each of which opens when the one before closes; two hosts, and players. Two have a phone: one calls Yes, one
 * No.
 * @param armedStays for a journey that does not measure when what is armed disarms by itself.
 */
export async function stageTwoHosts({ players: count = 6, armedStays = false } = {}): Promise<TwoHostShow> {
  const ana = await signedIn("admin", { viewport: desk });
  const api = apiOf(ana);
  const session = await planQuestions(api, "Two hosts", { lead_seconds: 0 });
  const { host: ben, name: nameOfBen } = count === 0 ? { host: ana, name: "" } : await secondHost(api);
  const players: TwoHostShow["players"] = { apis: [], pages: [] };
  for (let index = 0; index < count; index += 1) {
    if (index > 1) {
      players.apis.push(await newGuest());
      continue;
    }
    const page = await newGuestPage();
    await recordAnnounced(page);
    players.apis.push(apiOf(page));
    players.pages.push(page);
  }
  await startSession(api, session);
  for (const page of players.pages) await page.goto(`/sessions/${session.slug}`);
  for (const host of new Set([ana, ben])) {
    if (armedStays) await letArmedStay(host);
    await openLive(host, `/sessions/${session.slug}/admin`);
  }
  return { ana, ben, nameOfBen, api, session, players };
}

/** A session of six actions, each of which opens when the one before closes. */
export async function planQuestions(api: Api, name: string, settings: object): Promise<SessionView> {
  const session = await createSession(api, name, settings);
  const fields = { true_label: "Yes", false_label: "No", duration_seconds: 600 };
  for (let number = 1; number <= EVENTS; number += 1) await add(api, session.id, titleOf(number), fields);
  return session;
}

/** Another account, to which the admin gives the role. */
async function secondHost(admin: Api): Promise<{ host: Page; name: string }> {
  const ben = await newPlayer("ben", { viewport: desk });
  const { user } = await ben.api<{ user: { id: number } }>("GET", "/api/v1/users/me");
  await admin("PUT", `/api/v1/users/${user.id}/roles`, { user: { roles: ["admin"] } });
  await signIn(apiOf(ben.page), ben);
  return { host: ben.page, name: ben.username };
}

export const armedOf = (host: Page) => host.getByRole("region", { name: /^(Resolve|Correct|Skip) \d+/ });
export const trayOf = (host: Page) => host.getByRole("region", { name: /^Waits for your result/ });

const resultNames = { t: "Yes", f: "No", v: "Void" } as const;

/**
 * Gives an action of the tray a result, once the slot says what will be done, and has heard of all that has
 * happened to the action: what is older is refused.
 */
export async function resolve(
  show: TwoHostShow,
  host: Page,
  number: number,
  key: keyof typeof resultNames,
): Promise<void> {
  await press(host, String(number), key);
  await expect(armedOf(host)).toContainText(`Resolve ${number} as ${resultNames[key]}?`);
  const { version } = await eventOf(show, number);
  await expect(armedOf(host).locator('input[name="version"]')).toHaveValue(String(version));
  await press(host, "Enter");
  await expect(armedOf(host)).toBeHidden();
}

/** The stages of both hosts and the cards of the players show the same open action. */
export async function expectOnAir({ ana, ben, players }: TwoHostShow, number: number): Promise<void> {
  for (const host of [ana, ben]) {
    await expect(host.locator("#on-stage")).toHaveText(titleOf(number));
    await expect(host.locator(".on-air .pill").first()).toHaveText("Open");
  }
  for (const page of players.pages) await expect(page.locator(".card-q")).toHaveText(titleOf(number));
}

/** The phones of the first two players have announced what an action paid: to the one who called Yes, and to the one who called No. */
export async function expectTold(
  { players: { pages } }: TwoHostShow,
  number: number,
  words: readonly [RegExp, RegExp],
): Promise<void> {
  await Promise.all(
    words.map((lead, index) =>
      expect
        .poll(() => pages[index]?.evaluate(() => window.announced), { timeout: TOLD_WITHIN_MS })
        .toContainEqual(expect.stringMatching(new RegExp(`${lead.source}.* · Question ${number}\\?`))),
    ),
  );
}

/** Records each text of the page's result bar, which is there for a few seconds only. */
async function recordAnnounced(page: Page): Promise<void> {
  await page.addInitScript(() => {
    window.announced = [];
    new MutationObserver(() => {
      const text = document.querySelector(".card .announced")?.textContent ?? "";
      if (text !== "" && text !== window.announced.at(-1)) window.announced.push(text);
    }).observe(document, { subtree: true, childList: true, characterData: true });
  });
}

/** Each player has a call on each action that is over, with the outcome of its last result. */
export async function expectOutcomes({ api, session, players }: TwoHostShow): Promise<void> {
  const events = (await eventsIn(api, session)).filter(({ state }) => state === "resolved");
  for (const player of players.apis) {
    const path = `/api/v1/calls?session_id=${session.id}&per_page=100`;
    const { calls } = await player<{ calls: CallView[] }>("GET", path);
    for (const event of events) {
      const call = calls.find(({ eventId }) => eventId === event.id);
      expect([event.title, call?.outcome]).toEqual([event.title, outcomeOf(event, call)]);
    }
  }
}

/** What an action's result means for a call. */
function outcomeOf(event: EventView, call: CallView | undefined): string {
  if (event.voided) return "refunded";
  return event.result === (call?.spotId === event.spots[0].id) ? "won" : "lost";
}

/** Each player calls, by turns on either side. */
export async function callOn(show: TwoHostShow, number: number): Promise<void> {
  const event = await until(show, number, ({ state }) => state === "open");
  for (const [index, player] of show.players.apis.entries())
    await callSide(player, event, index % 2 === 0 ? "true" : "false", WAGER);
}

export async function eventOf({ api, session }: HostedShow, number: number): Promise<EventView> {
  const event = (await eventsIn(api, session)).find(({ title }) => title === titleOf(number));
  if (event === undefined) throw new Error(`There is no action ${number}.`);
  return event;
}

/** Waits until an action is as expected, and returns it. */
export async function until(
  show: HostedShow,
  number: number,
  is: (event: EventView) => boolean,
): Promise<EventView> {
  await expect.poll(async () => is(await eventOf(show, number))).toBe(true);
  return eventOf(show, number);
}

/** Not over: it has no result, or not everybody is paid. */
export const isUnsettled = ({ state, settlement }: EventView) =>
  state !== "hidden" && (state !== "resolved" || settlement !== "paid");

/** The game takes nothing and gives nothing: together the players have what they were given. */
export async function expectBooks({ players }: TwoHostShow): Promise<void> {
  let sum = 0;
  for (const player of players.apis) {
    type Me = { user: { wallet: { balance: number; held: number } } };
    const { wallet } = (await player<Me>("GET", "/api/v1/users/me")).user;
    expect(wallet.held).toBe(0);
    sum += wallet.balance;
  }
  expect(sum).toBeCloseTo(players.apis.length * GRANTED, 2);
}
