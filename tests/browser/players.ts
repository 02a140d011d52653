import type { CallView } from "#src/play/calls/schemas.ts";
import type { LeadersAnswer } from "#src/play/leaderboard/schemas.ts";
import type { ProfileAnswer, ProfileView } from "#src/profiles/schemas.ts";
import type { EventView, EventsAnswer } from "#src/show/events/schemas.ts";
import { waitFor } from "#tests/support/wait-for.ts";
import { type Api, apiOf, newApi } from "./show-host.ts";
import {
  type BrowserContext,
  type Device,
  type Page,
  expect,
  newContext,
  openLive,
} from "./support/journey.ts";
import { type Account, register, signIn } from "./support/own-show.ts";

/** The password of the demo's people. */
export const PASSWORD = "called-it-demo";
const OPEN_WITHIN_MS = 120_000;

export const phone = { width: 390, height: 844 };
export const desk = { width: 1440, height: 900 };

/** A page in a browser of its own, which is a phone unless something else is said. */
export async function newPage(options: Device = {}): Promise<Page> {
  return (await newContext({ viewport: phone, ...options })).newPage();
}

/**
 * The same, signed in by the API. Journeys run in parallel, so each has its own user: ana in play-a-session, cleo by keyboard, the operator
 * offline, the admin without JavaScript.
 */
export async function signedIn(name: string, options: Device = {}): Promise<Page> {
  const page = await newPage(options);
  await signInAs(apiOf(page), name);
  return page;
}

/** The same, with the live page of an address. */
export async function signedInAt(name: string, path: string, options: Device = {}): Promise<Page> {
  const page = await signedIn(name, options);
  await openLive(page, path);
  return page;
}

/** Signs in as one of the demo's people. */
export async function signInAs(api: Api, name: string): Promise<void> {
  await signIn(api, { email: emailOf(name), password: PASSWORD });
}

/** The API of one of the demo's people, without a browser. */
export async function apiAs(name: string): Promise<Api> {
  const api = await newApi();
  await signInAs(api, name);
  return api;
}

/** Somebody who is here for the first time, with a page that shows nothing yet. */
export type Player = Account & { page: Page; api: Api };

/** Registers a new player, whose name begins like this. */
export async function newPlayer(name: string, device: Device = {}): Promise<Player> {
  const page = await newPage(device);
  const api = apiOf(page);
  return { page, api, ...(await register(api, name)) };
}

export async function anotherDevice(player: Account, device: Device = {}): Promise<Page> {
  const page = await newPage(device);
  await signIn(apiOf(page), player);
  return page;
}

/** A phone of a new guest, whose page shows nothing yet. */
export async function newGuestPage(device: Device = {}): Promise<Page> {
  const page = await newPage(device);
  await apiOf(page)("POST", "/users/guest");
  return page;
}

/** The player or host of a page in a browser that runs no scripts. */
export async function withoutScript(page: Page, device: Device = {}): Promise<Page> {
  return newPage({ storageState: await page.context().storageState(), javaScriptEnabled: false, ...device });
}

/** Signs in by the form, as a person does it, with the page to which it leads. */
export async function signedInByForm(name: string, options: Device = {}): Promise<Page> {
  const page = await newPage(options);
  await page.goto("/users/sign_in");
  await page.getByLabel("Email").fill(emailOf(name));
  await page.getByLabel("Password").fill(PASSWORD);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await expect(page).not.toHaveURL(/sign_in/);
  return page;
}

const emailOf = (name: string) => `${name}@example.test`;

/** The signed-in player's profile. */
export async function profileOf(page: Page): Promise<ProfileView> {
  return (await read<ProfileAnswer>(page.context(), "/api/v1/users/me")).user;
}

/** The slug of the session that is active now. Between two rehearsals it waits for the next one. */
export function activeSlug(page: Page): Promise<string> {
  return waitFor("an active session", async () => {
    const { sessions } = await read<{ sessions: { slug: string }[] }>(
      page.context(),
      "/api/v1/sessions?active=true",
    );
    return sessions[0]?.slug ?? null;
  });
}

/** Waits for an event of the active session that is open for at least `secondsLeft`. */
export async function openEvent(
  page: Page,
  { secondsLeft }: { secondsLeft: number },
): Promise<{ event: EventView; slug: string }> {
  let opened: { event: EventView; slug: string } | undefined;
  await expect(async () => {
    const slug = await activeSlug(page);
    const { events, meta } = await eventsOf(page, slug);
    const event = events.find(
      ({ state, closesAt }) =>
        state === "open" && Date.parse(closesAt ?? "") - Date.parse(meta.serverTime) > secondsLeft * 1_000,
    );
    expect(event).toBeDefined();
    if (event !== undefined) opened = { event, slug };
  }).toPass({ timeout: OPEN_WITHIN_MS, intervals: [250] });
  if (opened === undefined) throw new Error("No event opened.");
  return opened;
}

export async function eventsOf(page: Page, slug: string): Promise<EventsAnswer> {
  return read<EventsAnswer>(page.context(), `/api/v1/sessions/${slug}/events?per_page=100`);
}

/** The session's leaders, with the signed-in player's own score. */
export async function leadersOf(page: Page, slug: string): Promise<LeadersAnswer> {
  return read<LeadersAnswer>(page.context(), `/api/v1/scores/leaders?session_id=${slug}`);
}

/** The player's call on an event, if any. */
export async function callOn(page: Page, eventId: number): Promise<CallView | undefined> {
  const { calls } = await profileOf(page);
  return calls.find((call) => call.eventId === eventId && call.state !== "soft_destroyed");
}

async function read<Answer>(context: BrowserContext, path: string): Promise<Answer> {
  const response = await context.request.get(path, { headers: { accept: "application/json" } });
  expect(response.status(), path).toBe(200);
  const answer: Answer = await response.json();
  return answer;
}
