import { expect, test } from "bun:test";
import { createServer } from "#src/server.ts";
import {
  buildAdmin,
  buildDraft,
  buildEvent,
  buildPlayer,
  buildRunningSession,
  buildSession,
  readEvent,
  readSession,
} from "#tests/support/build.ts";
import { testDeps } from "#tests/support/deps.ts";
import { readerFor } from "./browser.ts";

const EVENTS = 103;

const deps = await testDeps();
const server = createServer(deps);
const player = await readerFor(deps, server, await buildPlayer(deps));
const admin = await readerFor(deps, server, await buildAdmin(deps));
const session = await buildRunningSession(deps, { slug: "long-night", name: "Long Night" });

test("a player's forms to them change nothing", async () => {
  const { version } = await readSession(deps, session.id);
  const sent = await player.sendForm("/sessions/long-night/admin", { intent: "stop" }, { from: "/profile" });
  expect(sent.location).toBe("/sessions");
  expect(await readSession(deps, session.id)).toMatchObject({ state: "running", version });
});

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
    `value="/join?code=${show.joinCode}"`,
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

test("without JavaScript an admin sees what a pending result can still become, and takes it back", async () => {
  const { id: sessionId } = await buildRunningSession(deps, {
    slug: "second-thoughts",
    settings: { settlementDelaySeconds: 600 },
  });
  const { id } = await buildEvent(deps, "closed", { sessionId, trueLabel: "Goal", falseLabel: "Miss" });
  const path = "/sessions/second-thoughts/admin";
  await admin.sendForm(path, { intent: "resolve", event_id: String(id), result: "true" });
  const text = (await admin.open(path)).html.replaceAll(/<[^>]+>/g, "");
  expect(text).toMatch(/Result: Goal, pays in (10:00|9:\d\d)/);
  for (const offer of ["Take it back", "Miss instead", "Void instead"]) expect(text).toContain(offer);
  await admin.sendForm(path, { intent: "withdraw", event_id: String(id) });
  expect(await readEvent(deps, id)).toMatchObject({ state: "closed", result: null, pendingResult: null });
  expect((await admin.open(path)).html).not.toContain("Take it back");
});

test("without JavaScript an admin chooses how a draft starts, and not for one that players see", async () => {
  const path = (id: number) => `/sessions/long-night/admin?event=${id}`;
  const { id, version } = await buildDraft(deps, { sessionId: session.id, position: 90 });
  const editor = (await admin.open(path(id))).html;
  expect(editor).toContain('name="start_mode_before"');
  // The moment of an offset is past or known in a session that runs.
  expect(/id="edit-start-mode"[\s\S]*?<\/select>/.exec(editor)?.[0]).not.toContain('value="offset"');
  const fields = {
    intent: "update",
    event_id: String(id),
    title: "And this?",
    version: String(version),
    start_mode_before: "by_hand",
    start_mode: "after_result",
    offset_seconds: "12",
  };
  expect((await admin.sendForm(path(id), fields)).status).toBe(303);
  const planned = await readEvent(deps, id);
  expect(planned).toMatchObject({ startMode: "after_result", offsetSeconds: 12 });

  const visible = await buildEvent(deps, "visible", { sessionId: session.id, position: 91 });
  expect((await admin.open(path(visible.id))).html).not.toContain("edit-start-mode");
  const sent = { ...fields, event_id: String(visible.id), version: String(visible.version) };
  const refused = await admin.sendForm(path(visible.id), sent);
  expect(refused.status).toBe(422);
  expect(await readEvent(deps, visible.id)).toEqual(visible);
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

test("a running session is not deleted, and the page says so", async () => {
  const page = "/sessions/long-night/edit";
  const { status, html } = await admin.sendForm(page, { intent: "delete" });
  expect(status).toBe(422);
  expect(html).toContain("Only a session that has not started can be deleted.");
  expect((await readSession(deps, session.id)).state).toBe("running");
});
