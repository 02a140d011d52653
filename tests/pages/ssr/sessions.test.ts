import { expect, test } from "bun:test";
import { sessions } from "#db/schema/sessions.ts";
import { createServer } from "#src/server.ts";
import { addSessionHost } from "#src/show/session-hosts/manage-session-hosts.ts";
import {
  buildAdmin,
  buildDraft,
  buildEvent,
  buildPlayer,
  buildRunningSession,
  buildSession,
  readEvent,
  readSession,
  buildCall,
} from "#tests/support/build.ts";
import { testDeps } from "#tests/support/deps.ts";
import { readerFor } from "./browser.ts";
import { all, oneOf, parsePage, textsOf } from "./parse-page.ts";

const EVENTS = 103;

const deps = await testDeps();
const server = createServer(deps);
const player = await readerFor(deps, server, await buildPlayer(deps));
const host = await buildAdmin(deps);
const admin = await readerFor(deps, server, host);
const session = await buildRunningSession(deps, { slug: "long-night", name: "Long Night" });

test("a session with more than a hundred events is complete", async () => {
  const long = await buildSession(deps, { slug: "very-long" });
  for (let position = 1; position <= EVENTS; position += 1) {
    await buildDraft(deps, { sessionId: long.id, position, title: `Question ${position}?` });
  }
  const { html } = await admin.open("/sessions/very-long/admin");
  expect(html).toContain("Question 1?");
  expect(html).toContain(`Question ${EVENTS}?`);
});

test("before the show the page says what is ready and how players come, and its start sends players here", async () => {
  const show = await buildSession(deps, { slug: "first-night", name: "First Night" });
  await buildDraft(deps, { sessionId: show.id, trueLabel: "Same", falseLabel: "Same" });
  const path = "/sessions/first-night/admin";
  const before = (await admin.open(path)).html;
  for (const text of [
    "Before the show",
    "Both answers have the same name in 1.",
    "Results are paid at once.",
    "Players are sent to Long Night now",
    "Nobody is here yet. Give players the link.",
    `value="/join?code=${show.joinCode}&amp;k=`,
    "Start First Night?",
    "Send players here instead of to Long Night",
  ]) {
    expect(before).toContain(text);
  }
  // Long Night is live: its players are taken only if the host says so.
  expect(/<input[^>]*name="activate"[^>]*>/.exec(before)?.[0]).not.toContain("checked");
  await admin.sendForm(path, { intent: "start", in_seconds: "5", activate: "1" });
  expect(await readSession(deps, show.id)).toMatchObject({
    state: "running",
    active: true,
    startLeadSeconds: 5,
  });
  expect(await readSession(deps, session.id)).toMatchObject({ state: "running", active: false });
  const after = (await admin.open(path)).html;
  expect(after).not.toContain("Before the show");
  expect(after).toContain("Players are sent here");
});

test("without JavaScript an admin closes and resolves an event, and reads why an action is refused", async () => {
  const event = await buildEvent(deps, "open", { sessionId: session.id, title: "Who wins?" });
  const page = `/sessions/long-night/admin?event=${event.id}`;
  const closed = await admin.sendForm(page, { intent: "close_event", event_id: String(event.id) });
  expect([closed.status, closed.location]).toEqual([303, page]);
  const again = await admin.sendForm(page, { intent: "close_event", event_id: String(event.id) });
  expect(again.status).toBe(422);
  expect(again.html).toContain("cannot transition when Closed");
  expect((await admin.open(page)).html).toContain("Close is for open actions. This one is closed.");
  await admin.sendForm(page, { intent: "resolve", event_id: String(event.id), result: "true" });
  expect(await readEvent(deps, event.id)).toMatchObject({ state: "resolved", result: "true" });
});

test("without JavaScript an admin creates a session, sees its errors, edits and deletes it", async () => {
  const fields = {
    name: "Quiz",
    slug: "long-night",
    starts_at: "2030-01-02T20:00",
    time_zone: "Europe/Berlin",
  };
  const taken = await admin.sendForm("/sessions/new", fields);
  expect(taken.status).toBe(422);
  expect(taken.html).toContain("has already been taken");
  expect(taken.html).toContain('value="2030-01-02T20:00"');
  const made = await admin.sendForm("/sessions/new", { ...fields, slug: "quiz" });
  expect([made.status, made.location]).toEqual([303, "/sessions/quiz/admin"]);
  const saved = await admin.sendForm("/sessions/quiz/edit", {
    ...fields,
    intent: "save",
    name: "Quiz, the second",
  });
  expect(saved.location).toBe("/sessions/quiz/admin");
  const { html } = await admin.open("/sessions");
  expect(html).toContain("Quiz, the second");
  expect(html).toContain('href="/sessions/new"');
  expect((await player.open("/sessions")).html).not.toContain("/sessions/new");
  expect((await admin.sendForm("/sessions/quiz/edit", { intent: "delete" })).location).toBe("/sessions");
  expect((await admin.open("/sessions/quiz/edit")).status).toBe(404);
});

const STAKED = "You have a call on it. Somebody else must do this.";

test("the deck of an event with the host's call offers nothing that decides about it, and says why", async () => {
  const session = await buildRunningSession(deps);
  const event = await buildEvent(deps, "open", { sessionId: session.id });
  const deck = `/sessions/${session.slug}/admin?event=${event.id}`;
  const free = parsePage((await admin.open(deck)).html);
  expect(
    all(free, ".event-editor input[name=title], .event-editor input[name=duration_seconds]"),
  ).toHaveLength(2);

  await buildCall(deps, { userId: (await buildPlayer(deps)).id, eventId: event.id });
  const called = parsePage((await admin.open(deck)).html);
  expect(all(called, '.event-editor input[name="title"], .event-editor input[name="true_label"]')).toEqual(
    [],
  );
  expect(oneOf(called, ".event-editor").textContent).toContain("the question and its labels stand");
  expect(all(called, '.event-editor input[name="duration_seconds"]')).toHaveLength(1);

  await buildCall(deps, { userId: host.id, eventId: event.id });
  const staked = parsePage((await admin.open(deck)).html);
  expect(all(staked, '.event-editor input:not([type="hidden"])')).toEqual([]);
  expect(all(staked, 'button[value="advance"], button[value="close_event"], button[value="delay"]')).toEqual(
    [],
  );
  expect(oneOf(staked, ".event-editor").textContent).toContain(STAKED);
});

test("before a call the card says to who runs the session that somebody else must decide it then, and to nobody else", async () => {
  const WARNING = "If you call it, somebody else must decide it.";
  const referer = "http://localhost:3000/profile";
  const slipOf = async (reader: typeof admin, slug: string) =>
    oneOf(parsePage((await reader.open(`/sessions/${slug}`, { referer })).html), ".card .mine").textContent;
  const session = await buildRunningSession(deps);
  const small = await buildRunningSession(deps, { settings: { smallRoom: true } });
  const [event] = [
    await buildEvent(deps, "open", { sessionId: session.id }),
    await buildEvent(deps, "open", { sessionId: small.id }),
  ];
  const [player, cohost] = [await buildPlayer(deps), await buildPlayer(deps)];
  for (const { id: sessionId } of [session, small])
    await addSessionHost(deps, { sessionId, actor: host, user: cohost.username });
  const [players, cohosts] = [await readerFor(deps, server, player), await readerFor(deps, server, cohost)];
  for (const reader of [admin, cohosts]) {
    expect(await slipOf(reader, session.slug)).toContain(WARNING);
    expect(await slipOf(reader, small.slug)).not.toContain(WARNING);
  }
  expect(await slipOf(players, session.slug)).not.toContain(WARNING);
  await buildCall(deps, { userId: host.id, eventId: event.id });
  expect(await slipOf(admin, session.slug)).not.toContain(WARNING);
});

test("a small room cannot be chosen after the start, and saving the form keeps it", async () => {
  const session = await buildRunningSession(deps, { settings: { smallRoom: true } });
  const path = `/sessions/${session.slug}/edit`;
  const page = parsePage((await admin.open(path)).html);
  const box = oneOf(page, 'input[type="checkbox"][name="small_room"]');
  expect([box.hasAttribute("disabled"), box.hasAttribute("checked")]).toEqual([true, true]);
  expect(oneOf(page, `#${box.getAttribute("aria-describedby") ?? ""}`).textContent).toContain("has started");
  expect(oneOf(page, 'input[type="hidden"][name="small_room"]').getAttribute("value")).toBe("1");
  const version =
    oneOf(page, 'form:has([name="small_room"]) input[name="version"]').getAttribute("value") ?? "";
  const form = { intent: "save", version, name: "Renamed", description: "", starts_at: "", time_zone: "UTC" };
  const seconds = { lead_seconds: "5", settlement_delay_seconds: "0", small_room: "1" };
  expect((await admin.sendForm(path, { ...form, ...seconds })).status).toBe(303);
  expect(await readSession(deps, session.id)).toMatchObject({
    name: "Renamed",
    settings: { smallRoom: true },
  });
});

test("an admin cannot adjust their own wallet on the page, which says why", async () => {
  const other = await buildPlayer(deps);
  const adjust = 'form:has(input[name="amount"]) button[value="adjust"]';
  const theirs = parsePage((await admin.open(`/users/${other.id}`)).html);
  expect(all(theirs, adjust)).toHaveLength(1);
  const own = parsePage((await admin.open(`/users/${host.id}`)).html);
  expect(all(own, adjust)).toEqual([]);
  expect(oneOf(own, 'form:has(input[name="amount"])').textContent).toContain(
    "This wallet is yours. Another admin must adjust it.",
  );
});

test("of 300 sessions that come up a page shows the soonest, the others follow by pages, and a search finds one", async () => {
  const many = await testDeps();
  const reader = await readerFor(many, createServer(many), await buildAdmin(many));
  const startsAt = (number: number) => new Date(Date.UTC(2027, 0, number + 1));
  await many.pool.db.insert(sessions).values(
    Array.from({ length: 300 }, (_, index) => ({
      slug: `evening-${index + 1}`,
      name: `Evening ${index + 1}`,
      startsAt: startsAt(index + 1),
    })),
  );
  const namesAt = async (path: string) =>
    textsOf(parsePage((await reader.open(path)).html), "ul.list > li b.clip");
  const page = parsePage((await reader.open("/sessions")).html);
  expect(textsOf(page, ".panel header")).toContain("Coming up300");
  const first = await namesAt("/sessions");
  expect(first.filter((name) => name.startsWith("Evening"))).toHaveLength(25);
  expect(first).toContain("Evening 1");
  expect(oneOf(page, 'nav[aria-label="Pages of those coming up"]').textContent).toContain("1 of 12");
  expect(await namesAt("/sessions?coming=12")).toContain("Evening 300");
  expect((await namesAt("/sessions?search=ning%20277")).filter((name) => name.startsWith("Evening"))).toEqual(
    ["Evening 277"],
  );
  expect((await reader.open("/sessions?search=nowhere")).html).toContain("No coming or finished session has");
});
