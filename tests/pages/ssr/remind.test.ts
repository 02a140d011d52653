import { expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import { reminders } from "#db/schema/reminders.ts";
import { sessions } from "#db/schema/sessions.ts";
import { createServer } from "#src/server.ts";
import { startSession } from "#src/show/sessions/start-session.ts";
import { stopSession } from "#src/show/sessions/stop-session.ts";
import { buildDraft, buildPlayer, buildRunningSession, buildSession } from "#tests/support/build.ts";
import { testDeps } from "#tests/support/deps.ts";
import { Reader, readerFor } from "./browser.ts";

// Being reminded works without JavaScript: a link to a file, and a plain form.

const PATH = "/sessions/quiz-final/remind";

const deps = await testDeps();
const server = createServer(deps);
const player = await buildPlayer(deps);
const reader = await readerFor(deps, server, player);
const { id: sessionId } = await buildSession(deps, { slug: "quiz-final", name: "Quiz Final" });
await buildDraft(deps, { sessionId });

const plan = (startsAt: Date | null) =>
  deps.pool.db.update(sessions).set({ startsAt }).where(eq(sessions.id, sessionId));
const asked = () => deps.pool.db.$count(reminders, eq(reminders.userId, player.id));

test("the list of sessions leads to the reminder of one that is planned for a time", async () => {
  expect((await reader.open("/sessions")).html).not.toContain(PATH);
  await plan(new Date(Date.now() + 86_400_000));
  expect((await reader.open("/sessions")).html).toContain(PATH);
});

test("a player is reminded by a plain form, and takes it back", async () => {
  const page = await reader.open(PATH);
  expect(page.html).toContain("/api/v1/sessions/quiz-final/calendar.ics");
  expect(page.html).toContain("Remind me by mail");
  expect(await reader.sendForm(PATH, { intent: "set" })).toMatchObject({ status: 303, location: PATH });
  expect(await asked()).toBe(1);
  expect((await reader.open(PATH)).html).toContain("You get a mail 10 minutes before it starts.");
  expect(await reader.sendForm(PATH, { intent: "remove" })).toMatchObject({ status: 303, location: PATH });
  expect(await asked()).toBe(0);
});

test("a stranger gets the file and a way in, and no form", async () => {
  const { html, status } = await new Reader(server).open(PATH);
  expect(status).toBe(200);
  expect(html).toContain("/api/v1/sessions/quiz-final/calendar.ics");
  expect(html).toContain("/users/sign_in?return_to=%2Fsessions%2Fquiz-final%2Fremind");
  expect(html).not.toContain("Remind me by mail");
});

test("the end of a session leads to the reminder of the next one", async () => {
  const over = await buildRunningSession(deps, { slug: "last-week" });
  await stopSession(deps, { sessionId: over.id, actor: null });
  expect((await reader.open("/sessions/last-week")).html).toContain(PATH);
});

test("once it has started, the page leads to the session", async () => {
  await startSession(deps, { sessionId, actor: null });
  expect(await reader.open(PATH)).toMatchObject({ status: 302, location: "/sessions/quiz-final" });
});
