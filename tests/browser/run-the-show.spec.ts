import type { BlueprintView } from "#src/show/blueprints/schemas.ts";
import type { SessionView } from "#src/show/sessions/schemas.ts";
import { desk, phone, signedIn } from "./players.ts";
import {
  type Api,
  apiOf,
  auditOf,
  choose,
  eventsIn,
  giveReason,
  moveOnto,
  newGuest,
  planShow,
  startShow,
} from "./show-host.ts";
import { type Page, expect, hydrated, openLive, test } from "./support/journey.ts";
import { confirmArmed, letArmedStay } from "./support/room-keys.ts";
import { until } from "./support/two-host-show.ts";
import { generateSession, pasteLines, startBlueprint } from "./support/write-blueprint.ts";

/** Enough for all that a host does to them. */
const EVENTS = 5;
const CORRECTED = 3;
const SKIPPED = 4;
const TEST_WITHIN_MS = 480_000;
const SHOW_WITHIN_MS = 240_000;
const lines = Array.from({ length: EVENTS }, (_, index) => `Question ${index + 1}? | Yes | No | 5`);

test("the host pastes questions, orders them, and runs the show to its end; the audit has it all", async () => {
  test.setTimeout(TEST_WITHIN_MS);
  const host = await signedIn("admin", { viewport: desk });
  await letArmedStay(host);
  const api = apiOf(host);
  const session = await prepareShow(host, api);
  const [one, other] = [await newGuest(), await newGuest()];
  await start(host, api, session);

  await placeCallOn(api, session, CORRECTED, [
    { by: one, side: 0 },
    { by: other, side: 1 },
  ]);
  await placeCallOn(api, session, SKIPPED, [{ by: one, side: 0 }]);
  await skip(host, api, session);
  await correct(host, api, session);
  await ask(host, api, session);

  // The last one follows the one that was skipped, and opens, closes and resolves by itself.
  const over = ["resolved", "hidden"];
  await expect
    .poll(async () => (await eventsIn(api, session)).filter(({ state }) => !over.includes(state)).length, {
      timeout: SHOW_WITHIN_MS,
    })
    .toBe(0);
  const watcher = await host.context().newPage();
  await openLive(watcher, `/sessions/${session.slug}/admin`);
  await host.getByRole("button", { name: "Stop", exact: true }).click();
  await host.getByRole("button", { name: "Stop it" }).click();
  await expect(host.getByText("Stopped", { exact: true })).toBeVisible();
  await expect(watcher.getByText("Stopped", { exact: true })).toBeVisible();

  // All callers were refunded: one result was voided, the other event was skipped.
  type Me = { user: { wallet: { balance: number; held: number } } };
  for (const player of [one, other])
    await expect
      .poll(async () => (await player<Me>("GET", "/api/v1/users/me")).user.wallet)
      .toMatchObject({ balance: 100, held: 0 });
  await expectAudit(host, api, session);
  await host.getByRole("button", { name: /^Save as blueprint/ }).click();
  await expect(host.locator("table.events tbody tr")).toHaveCount(EVENTS + 1);
});

/** Creates the blueprint and the session by their pages, then orders the events by hand. */
async function prepareShow(host: Page, api: Api): Promise<SessionView> {
  const name = `Five questions ${Date.now()}`;
  await startBlueprint(host, name);
  await pasteLines(host, lines);
  await moveOnto(host, { question: 1, target: 2, position: 2 });

  const id = /\/blueprints\/(\d+)/.exec(host.url())?.[1] ?? "";
  const read = () => api<{ blueprint: BlueprintView }>("GET", `/api/v1/blueprints/${id}`);
  await expect.poll(async () => (await read()).blueprint.blueprintEvents[0]?.title).toBe("Question 2?");
  await planShow(api, (await read()).blueprint, [CORRECTED, SKIPPED]);
  await host.goto(`/blueprints/${id}`);
  const slug = await generateSession(host, name);
  await hydrated(host);
  await moveOnto(host, { question: 2, target: 1, position: 2 });
  await expect(host.getByRole("list", { name: "Audit" })).toContainText("changed the order");
  await expectReadyFirst(host);
  const { session } = await api<{ session: SessionView }>("GET", `/api/v1/sessions/${slug}`);
  expect((await eventsIn(api, session)).map(({ title }) => title).slice(0, 3)).toEqual([
    "Question 1?",
    "Question 2?",
    "Question 3?",
  ]);
  return session;
}

/** Before the show its checklist is in view on every screen, and the search for players covers nothing of Health. */
async function expectReadyFirst(host: Page): Promise<void> {
  const [checks, search] = [host.locator(".before-show"), host.getByRole("search", { name: "Players" })];
  for (const screen of [phone, { width: 1_024, height: 768 }, desk]) {
    await host.setViewportSize(screen);
    await expect(checks.getByRole("listitem").first()).toBeInViewport({ ratio: 1 });
  }
  const panels = await host
    .locator(".side-col > *")
    .evaluateAll((all) => all.map((each) => each.getBoundingClientRect().bottom));
  const searchTop = await search.evaluate((box) => box.getBoundingClientRect().top);
  expect(panels.slice(0, -1).filter((bottom) => bottom > searchTop + 0.5)).toEqual([]);
}

async function start(host: Page, api: Api, { slug }: SessionView): Promise<void> {
  await startShow(host);
  await expect(host.getByText("Running", { exact: true })).toBeVisible();
  // The button that had the focus is gone: the room has it, so that the keys act.
  await expect(host.locator("main")).toBeFocused();
  const { session } = await api<{ session: SessionView }>("GET", `/api/v1/sessions/${slug}`);
  // The active flag belongs to the demo's rehearsals; between two of them no session has it.
  if (session.active) await api("PUT", `/api/v1/sessions/${slug}/deactivate`);
}

type Placing = { by: Api; side: 0 | 1 };

async function placeCallOn(
  api: Api,
  session: SessionView,
  question: number,
  placings: readonly Placing[],
): Promise<void> {
  const event = await until({ api, session }, question, ({ state }) => state === "open");
  for (const { by, side } of placings) {
    await by("POST", "/api/v1/calls", { call: { spot_id: event.spots[side].id, wager: 5 } });
  }
}

async function skip(host: Page, api: Api, session: SessionView): Promise<void> {
  await choose(host, SKIPPED);
  await host.getByRole("button", { name: `Skip ${SKIPPED}`, exact: true }).click();
  await giveReason(host, "Rain.");
  await confirmArmed(host, "Skip and refund");
  await until({ api, session }, SKIPPED, ({ state }) => state === "hidden");
}

/** Resolves an event, and corrects it with a reason. */
async function correct(host: Page, api: Api, session: SessionView): Promise<void> {
  await choose(host, CORRECTED);
  await host.getByRole("button", { name: "Yes", exact: true }).click();
  await expect(host.getByText("Largest win")).toBeVisible();
  await confirmArmed(host, "Pay out Yes");
  await until({ api, session }, CORRECTED, ({ result }) => result === true);
  await host.getByRole("button", { name: "Void", exact: true }).click();
  await giveReason(host, "The referee changed his mind.");
  await confirmArmed(host, "Void and refund");
  await until({ api, session }, CORRECTED, ({ voided }) => voided);
}

async function ask(host: Page, api: Api, session: SessionView): Promise<void> {
  await host.getByRole("textbox", { name: "Question" }).last().fill("Who asked?");
  await host.getByPlaceholder("True Label").fill("The host");
  await host.getByRole("radio", { name: "120 seconds" }).check({ force: true });
  await host.getByText("Explanation, note", { exact: true }).click();
  await host.locator("#new-explanation").fill("The host did.");
  await host.locator("#new-host-note").fill("Nobody knows.");
  await host.getByRole("button", { name: "Ask", exact: true }).click();
  const addedEvent = async () => (await eventsIn(api, session)).find(({ title }) => title === "Who asked?");
  await expect
    .poll(addedEvent)
    .toMatchObject({ state: "open", plan: { explanation: "The host did.", hostNote: "Nobody knows." } });
  await host.getByRole("link", { name: "Who asked?", exact: true }).click();
  await host.getByRole("button", { name: "The host", exact: true }).click();
  await confirmArmed(host, "Pay out The host");
  await expect.poll(async () => (await addedEvent())?.result).toBe(true);
}

async function expectAudit(host: Page, api: Api, session: SessionView): Promise<void> {
  const audit = await auditOf(api, session);
  const mine = audit.filter(({ actor }) => actor !== null);
  const done = new Set(mine.map(({ action }) => action));
  const expected = ["start", "skip", "resolve", "stop"];
  expect([...done]).toEqual(expect.arrayContaining([...expected, "create_event", "reorder_events"]));
  expect(new Set(mine.map(({ actor }) => actor?.username)).size).toBe(1);
  const reasons = mine.flatMap(({ reason }) => reason ?? []);
  expect(reasons).toEqual(expect.arrayContaining(["Rain.", "The referee changed his mind."]));
  // The clock did the rest.
  expect(
    audit.filter(({ actor, action }) => actor === null && action === "open_event").length,
  ).toBeGreaterThan(EVENTS / 2);
  await expect(host.getByRole("list", { name: "Audit" })).toContainText("stopped the session");
}
