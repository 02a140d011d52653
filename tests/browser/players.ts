import { type Browser, type BrowserContext, expect, type Page } from "playwright/test";
import type { CallView } from "#src/play/calls/schemas.ts";
import type { LeadersAnswer } from "#src/play/leaderboard/schemas.ts";
import type { ProfileAnswer, ProfileView } from "#src/profiles/schemas.ts";
import type { EventView, EventsAnswer } from "#src/show/events/schemas.ts";
import { waitFor } from "#tests/support/wait-for.ts";
import { type Api, apiOf } from "./show-host.ts";

/** The password of the demo's people. */
export const PASSWORD = "called-it-demo";
const OPEN_WITHIN_MS = 120_000;

export const phone = { width: 390, height: 844 };
export const desk = { width: 1440, height: 900 };

type Options = NonNullable<Parameters<Browser["newContext"]>[0]>;

/**
 * Opens a new browser context and signs in by the API. Its page is at the product's address, and shows no page of the product yet.
 * Journeys run in parallel, so each has its own user: ana in play-a-session, cleo by keyboard, the operator offline, the admin
 * without JavaScript.
 */
export async function signedIn(browser: Browser, name: string, options: Options = {}): Promise<Page> {
  const context = await browser.newContext({ viewport: phone, ...options });
  const page = await context.newPage();
  await page.goto("/up");
  const user = { email: emailOf(name), password: PASSWORD };
  await apiOf(context, page.url())("POST", "/users/sign_in", { user });
  return page;
}

/** The API of one of the demo's people, without a page. */
export async function apiAs(browser: Browser, origin: string, name: string): Promise<Api> {
  const api = apiOf(await browser.newContext(), origin);
  await api("POST", "/users/sign_in", { user: { email: emailOf(name), password: PASSWORD } });
  return api;
}

/** The same by the form, as a person does it, with the page to which it leads. */
export async function signedInByForm(browser: Browser, name: string, options: Options = {}): Promise<Page> {
  const context = await browser.newContext({ viewport: phone, ...options });
  const page = await context.newPage();
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
