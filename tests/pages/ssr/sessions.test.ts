import { expect, test } from "bun:test";
import { testWorld } from "#tests/support/world.ts";
import { readerFor } from "./browser.ts";

const EVENTS = 103;

const { deps, build, read, server } = await testWorld();
const player = await readerFor(deps, server, await build.player());
const host = await build.admin();
const admin = await readerFor(deps, server, host);
const session = await build.runningSession({ slug: "long-night", name: "Long Night" });

test("a session with more than a hundred events is complete", async () => {
  const long = await build.session({ slug: "very-long" });
  for (let position = 1; position <= EVENTS; position += 1) {
    await build.draft({ sessionId: long.id, position, title: `Question ${position}?` });
  }
  const { html } = await admin.open("/sessions/very-long/admin");
  expect(html).toContain("Question 1?");
  expect(html).toContain(`Question ${EVENTS}?`);
});

test("without JavaScript an admin closes and resolves an event, and reads why an action is refused", async () => {
  const event = await build.event("open", { sessionId: session.id, title: "Who wins?" });
  const page = `/sessions/long-night/admin?event=${event.id}`;
  const closed = await admin.sendForm(page, { intent: "close_event", event_id: String(event.id) });
  expect([closed.status, closed.location]).toEqual([303, page]);
  const again = await admin.sendForm(page, { intent: "close_event", event_id: String(event.id) });
  expect(again.status).toBe(422);
  expect(again.html).toContain("cannot transition when Closed");
  expect((await admin.open(page)).html).toContain("Close is for open actions. This one is closed.");
  await admin.sendForm(page, { intent: "resolve", event_id: String(event.id), result: "true" });
  expect(await read.event(event.id)).toMatchObject({ state: "resolved", result: "true" });
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
    starts_at: "",
  });
  expect(saved.location).toBe("/sessions/quiz/admin");
  const edited: unknown = await (await admin.get("/api/v1/sessions/quiz")).json();
  expect(edited).toMatchObject({ session: { startsAt: null } });
  const { html } = await admin.open("/sessions");
  expect(html).toContain("Quiz, the second");
  expect(html).toContain('href="/sessions/new"');
  expect((await player.open("/sessions")).html).not.toContain("/sessions/new");
  expect((await admin.sendForm("/sessions/quiz/edit", { intent: "delete" })).location).toBe("/sessions");
  expect((await admin.open("/sessions/quiz/edit")).status).toBe(404);
});
