import { type Browser, expect, type Page } from "playwright/test";
import * as v from "valibot";
import type { EventView } from "#src/show/events/schemas.ts";
import type { SessionView } from "#src/show/sessions/schemas.ts";
import { desk, phone, signedIn } from "./players.ts";
import { type Api, apiOf, eventsIn, startShow } from "./show-host.ts";
import { test } from "./support/journey.ts";
import { atMoment } from "./support/page-states.ts";
import { hydrated } from "./support/write-blueprint.ts";

const TEST_WITHIN_MS = 480_000;
const PHASE_WITHIN_MS = 30_000;
/** Longer than a busy machine needs to look at it. */
const LONG_S = 600;

/** What the player's card showed: its pill and its question. */
const shownCard = v.object({ pill: v.string(), title: v.string() });
type Shown = v.InferOutput<typeof shownCard>;

// tests/dry-runs/default-pace plays the default times.
test("a show may wait for results and for the host: players read what they wait for, and no time that is wrong", async ({
  browser,
}) => {
  test.setTimeout(TEST_WITHIN_MS);
  const host = await signedIn(browser, "admin", { viewport: desk });
  const api = apiOf(host.context(), new URL(host.url()).origin);
  const session = await planWaiting(api);
  await host.goto(`/sessions/${session.slug}/admin`);
  await hydrated(host);
  const run = host.getByRole("list", { name: "Run of show" });
  await expect(run).toContainText("600 s, 10:00 after result of 1");
  await expect(run).toContainText("600 s, by hand");
  const player = await playerAt(browser, host, session.slug);
  await startShow(host);
  await expect(host.getByText(/end not known yet/)).toBeVisible();
  // The active flag belongs to the demo's rehearsals.
  if ((await sessionOf(api, session.slug)).active)
    await api("PUT", `/api/v1/sessions/${session.slug}/deactivate`);

  const show = { api, session, player };
  const first = await openAndClose(show, 0);
  await expect(player.getByText(/^The next question follows the result\. /)).toBeVisible();
  await player.reload();
  await expect(player.getByText(/^The next question follows the result\. /)).toBeVisible();
  await resolveAndRead(show, first);
  const second = await openAndClose(show, 1);
  await expect(player.getByText(/^The host opens the next question\. /)).toBeVisible();
  await api("PATCH", `/api/v1/events/${second.id}/state`, {
    event: { state_event: "resolve", result: true },
  });
  await expect(player.getByText("The host opens the next question", { exact: true })).toBeVisible();

  const third = (await eventsIn(api, session))[2];
  await api("PUT", `/api/v1/events/${third?.id}/advance`, { event: {} });
  await openOnCard(show, 2);
  // The list begins with the reload, while the first action was closed.
  await expect
    .poll(() => cardsOf(player))
    .toEqual([
      "Closed: Will it rain?",
      "Resolved: Yes: Will it rain?",
      "Up next: Will it snow?",
      "Open: Will it snow?",
      "Closed: Will it snow?",
      "Resolved: Aye: Will it snow?",
      "Up next: Will it end?",
      "Open: Will it end?",
    ]);
});

/** An action, one that waits for its result, and one that waits for the host. */
async function planWaiting(api: Api): Promise<SessionView> {
  const { session } = await api<{ session: SessionView }>("POST", "/api/v1/sessions", {
    session: {
      name: `Waiting ${Date.now()}`,
      settings: { lead_seconds: LONG_S, settlement_delay_seconds: 0 },
    },
  });
  const add = (event: object) =>
    api("POST", "/api/v1/events", { event: { session_id: session.id, duration_seconds: LONG_S, ...event } });
  await add({ title: "Will it rain?", true_label: "Yes" });
  await add({
    title: "Will it snow?",
    true_label: "Aye",
    start_mode: "after_result",
    offset_seconds: LONG_S,
  });
  await add({ title: "Will it end?", start_mode: "by_hand" });
  return session;
}

type Waiting = { api: Api; session: SessionView; player: Page };

/** The host opens an action once the player's card shows that it is next, and waits until the card shows it open. */
async function openOnCard({ api, session, player }: Waiting, index: number): Promise<EventView> {
  const event = await until(api, session, index, "visible");
  const [pill, question] = [player.locator(".card-meta .push"), player.locator(".card-q")];
  await expect(question).toHaveText(event.title);
  await expect(pill).toHaveText("Up next");
  await api("PUT", `/api/v1/events/${event.id}/advance`, { event: {} });
  await expect(pill).toHaveText("Open");
  return event;
}

/** Then the host closes it. */
async function openAndClose(show: Waiting, index: number): Promise<EventView> {
  const { id } = await openOnCard(show, index);
  await show.api("PUT", `/api/v1/events/${id}/advance`, { event: {} });
  return until(show.api, show.session, index, "closed");
}

/** A result is on the card for some seconds, with the time of the next question: the player's clock stands until it was read. */
async function resolveAndRead({ api, player }: Waiting, { id }: EventView): Promise<void> {
  const standing = atMoment(Date.now());
  await standing.enter(player);
  await api("PATCH", `/api/v1/events/${id}/state`, { event: { state_event: "resolve", result: true } });
  await expect(player.getByText(/^Next question in (?:9|1\d):\d\d$/)).toBeVisible();
  await standing.leave(player);
}

/** A guest's phone on the session's page, which notes what its card shows. */
async function playerAt(browser: Browser, host: Page, slug: string): Promise<Page> {
  const context = await browser.newContext({ viewport: phone });
  const { origin } = new URL(host.url());
  await apiOf(context, origin)("POST", "/users/guest");
  const page = await context.newPage();
  await page.addInitScript(noteCards);
  await page.goto(new URL(`/sessions/${slug}`, origin).href);
  await hydrated(page);
  return page;
}

/** Runs in the page. */
function noteCards(): void {
  const shown: Shown[] = [];
  Object.assign(globalThis, { shown });
  const note = () => {
    const text = (selector: string) => document.querySelector(selector)?.textContent ?? "";
    const now = { pill: text(".card-meta .push"), title: text(".card-q") };
    const last = shown.at(-1);
    if (now.pill !== "" && (last?.pill !== now.pill || last.title !== now.title)) shown.push(now);
  };
  new MutationObserver(note).observe(document, { subtree: true, childList: true, characterData: true });
}

async function shownTo(page: Page): Promise<Shown[]> {
  return v.parse(v.array(shownCard), await page.evaluate("shown"));
}

/** "Open: Will it rain?". The last seconds before a close are part of "Open", and the time before the start is left out. */
async function cardsOf(player: Page): Promise<string[]> {
  const shown = (await shownTo(player)).filter(({ pill }) => pill !== "Waiting");
  const cards = shown.map(({ pill, title }) => `${pill === "Closing" ? "Open" : pill}: ${title}`);
  return cards.filter((card, index) => card !== cards[index - 1]);
}

async function sessionOf(api: Api, slug: string): Promise<SessionView> {
  return (await api<{ session: SessionView }>("GET", `/api/v1/sessions/${slug}`)).session;
}

/** Waits until the event at this index is in this state. */
async function until(
  api: Api,
  session: SessionView,
  index: number,
  state: EventView["state"],
): Promise<EventView> {
  await expect
    .poll(async () => (await eventsIn(api, session))[index]?.state, {
      timeout: PHASE_WITHIN_MS,
      intervals: [200],
    })
    .toBe(state);
  const event = (await eventsIn(api, session))[index];
  if (event === undefined) throw new Error(`There is no event ${index}.`);
  return event;
}
