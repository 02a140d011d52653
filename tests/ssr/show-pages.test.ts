import { describe, expect, test } from "bun:test";
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
import { Reader, readerFor } from "./browser.ts";

const EVENTS = 103;

const deps = await testDeps();
const server = createServer(deps);
const player = await readerFor(deps, server, await buildPlayer(deps));
const admin = await readerFor(deps, server, await buildAdmin(deps));
const session = await buildRunningSession(deps, { slug: "long-night", name: "Long Night" });

const pages = ["/sessions/new", "/sessions/long-night/edit", "/sessions/long-night/admin"];

describe("the pages for running a session", () => {
  for (const path of pages) {
    test(`${path} is only for admins`, async () => {
      expect((await admin.open(path)).status).toBe(200);
      expect(await player.open(path)).toMatchObject({ status: 302, html: "", location: "/sessions" });
      const out = await new Reader(server).open(path);
      expect([out.status, out.location]).toEqual([
        302,
        `/users/sign_in?return_to=${encodeURIComponent(path)}`,
      ]);
    });
  }

  test("a player's forms to them change nothing", async () => {
    const { version } = await readSession(deps, session.id);
    const sent = await player.sendForm(
      "/sessions/long-night/admin",
      { intent: "stop" },
      { from: "/profile" },
    );
    expect(sent.location).toBe("/sessions");
    expect(await readSession(deps, session.id)).toMatchObject({ state: "running", version });
  });
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

test("without script an admin closes and resolves an event, and reads why an action is refused", async () => {
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

test("without script an admin sees what a pending result can still become, and takes it back", async () => {
  const { id: sessionId } = await buildRunningSession(deps, {
    slug: "second-thoughts",
    settings: { settlementDelaySeconds: 600 },
  });
  const { id } = await buildEvent(deps, "closed", { sessionId, trueLabel: "Goal", falseLabel: "Miss" });
  const path = "/sessions/second-thoughts/admin";
  await admin.sendForm(path, { intent: "resolve", event_id: String(id), result: "true" });
  const text = (await admin.open(path)).html.replaceAll(/<[^>]+>/g, "");
  expect(text).toContain("Result: Goal, pays in 10:00");
  for (const offer of ["Take it back", "Miss instead", "Void instead"]) expect(text).toContain(offer);
  await admin.sendForm(path, { intent: "withdraw", event_id: String(id) });
  expect(await readEvent(deps, id)).toMatchObject({ state: "closed", result: null, pendingResult: null });
  expect((await admin.open(path)).html).not.toContain("Take it back");
});

test("without script an admin creates a session, sees its errors, edits and deletes it", async () => {
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
