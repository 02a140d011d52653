import type { BrowserContextOptions, Page } from "playwright";
import { expect as assertion } from "playwright/test";
import { activeSlug, eventsOf, openEvent } from "../players.ts";

/** On a machine that is busy with something else. */
const expect = assertion.configure({ timeout: 60_000 });

const PASSWORD = "called-it-demo";
const CALLS_MIN = 4;
/** So many results make a leaderboard. */
const RESULTS_MIN = 2;
const RESULTS_WITHIN_MS = 240_000;

/** A picture of README.md: what the browser is, and how its page gets there. */
export type Scene = { name: string; context: BrowserContextOptions; show: (page: Page) => Promise<void> };

/** A phone, with two pixels for each of its points. */
export const phone: BrowserContextOptions = {
  viewport: { width: 390, height: 844 },
  deviceScaleFactor: 2,
  colorScheme: "light",
};

/** The pictures, in their order in README.md. */
export const scenes: Scene[] = [
  { name: "play-screen", context: phone, show: showCall },
  {
    name: "control-room",
    context: { viewport: { width: 1440, height: 900 }, colorScheme: "light" },
    show: showControlRoom,
  },
  {
    name: "big-screen",
    context: { viewport: { width: 1280, height: 720 }, colorScheme: "dark" },
    show: showBigScreen,
  },
  { name: "leaderboard", context: { ...phone, colorScheme: "dark" }, show: showLeaders },
];

/** Signs in by the form. */
export async function signIn(page: Page, name: string): Promise<void> {
  await page.goto("/users/sign_in");
  await page.getByLabel("Email").fill(`${name}@example.test`);
  await page.getByLabel("Password").fill(PASSWORD);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await expect(page).not.toHaveURL(/sign_in/);
}

/** Opens the play screen while its event is open for at least this long. @returns when it closes, in epoch milliseconds. */
export async function openPlayScreen(
  page: Page,
  secondsLeft: number,
): Promise<{ slug: string; closesAtMs: number }> {
  const { event, slug } = await openEvent(page, { secondsLeft });
  await page.goto(`/sessions/${slug}`);
  await page.locator("#root[data-hydrated]").waitFor();
  await expect(page.getByRole("heading", { name: event.title })).toBeVisible();
  return { slug, closesAtMs: Date.parse(event.closesAt ?? "") };
}

/** A player has called. */
async function showCall(page: Page): Promise<void> {
  await signIn(page, "ben");
  const { slug } = await openPlayScreen(page, 14);
  await callTrue(page);
  await untilSomeCalled(page, slug);
}

/** Calls the true side for $5. */
export async function callTrue(page: Page): Promise<void> {
  await page.getByRole("button", { name: "$5", exact: true }).click();
  await page.getByRole("radio", { name: /You think/ }).click();
  await expect(page.getByText(/^Placed \d+:\d\d:\d\d/)).toBeVisible();
}

async function showControlRoom(page: Page): Promise<void> {
  await signIn(page, "admin");
  const { slug } = await openEvent(page, { secondsLeft: 12 });
  await page.goto(`/sessions/${slug}/admin`);
  await page.locator("#root[data-hydrated]").waitFor();
  await untilSomeCalled(page, slug);
}

async function showBigScreen(page: Page): Promise<void> {
  await signIn(page, "ben");
  await untilResults(page);
  const { slug } = await openEvent(page, { secondsLeft: 12 });
  await page.goto(`/sessions/${slug}/stage`);
  await page.locator("#root[data-hydrated]").waitFor();
  await untilSomeCalled(page, slug);
}

async function showLeaders(page: Page): Promise<void> {
  await signIn(page, "ben");
  await openPlayScreen(page, 8);
  await callTrue(page);
  const slug = await untilResults(page);
  await page.goto(`/sessions/${slug}/leaders`);
  await page.locator("#root[data-hydrated]").waitFor();
  // What was decided in between is announced over the tabs, and leaves by itself.
  await expect(page.locator(".toasts button")).toHaveCount(0);
}

/** Waits until the session has results, and no event is about to get one. @returns the session's slug. */
async function untilResults(page: Page): Promise<string> {
  await expect(async () => {
    const { events } = await eventsOf(page, await activeSlug(page));
    const resolved = events.filter(({ state }) => state === "resolved");
    expect(resolved.length).toBeGreaterThanOrEqual(RESULTS_MIN);
    expect(events.some(({ state }) => state === "open" || state === "closed")).toBe(false);
  }).toPass({ timeout: RESULTS_WITHIN_MS });
  return activeSlug(page);
}

/** Waits until players have called on an open event. */
async function untilSomeCalled(page: Page, slug: string): Promise<void> {
  await expect(async () => {
    const { events } = await eventsOf(page, slug);
    const open = events.find(({ state }) => state === "open");
    expect(open?.callsCount).toBeGreaterThan(CALLS_MIN);
  }).toPass({ timeout: 120_000 });
}
