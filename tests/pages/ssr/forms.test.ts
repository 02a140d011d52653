import { expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import { messages } from "#db/schema/messages.ts";
import { reminders } from "#db/schema/reminders.ts";
import { registrations, sessions } from "#db/schema/sessions.ts";
import { createServer } from "#src/server.ts";
import { startSession } from "#src/show/sessions/start-session.ts";
import { stopSession } from "#src/show/sessions/stop-session.ts";
import { buildMessage, readChat } from "#tests/play/chat/fixtures.ts";
import {
  buildAdmin,
  buildPlayer,
  buildRunningSession,
  buildSession,
  readSession,
  buildDraft,
} from "#tests/support/build.ts";
import { testDeps } from "#tests/support/deps.ts";
import { readerFor, Reader } from "./browser.ts";

const deps = await testDeps();
const server = createServer(deps);
const player: { id: number; email: string | null; username: string } = await buildPlayer(deps);
const reader = await readerFor(deps, server, player);
const host = await readerFor(deps, server, await buildAdmin(deps));

async function buildChat() {
  const { id, slug } = await buildSession(deps);
  const other = await buildPlayer(deps);
  return { sessionId: id, path: `/sessions/${slug}/chat`, other };
}
const written = (sessionId: number) =>
  deps.pool.db.select().from(messages).where(eq(messages.sessionId, sessionId));

test("the first paint has the messages as plain text, and a form", async () => {
  const { sessionId, path, other } = await buildChat();
  expect((await reader.open(path)).html).toContain("Nobody has said anything yet");
  await buildMessage(deps, { sessionId, userId: other.id, body: `<script>alert("x")</script> & more` });
  const { status, html } = await reader.open(path);
  expect(status).toBe(200);
  expect(html).toContain("&lt;script&gt;alert(&quot;x&quot;)&lt;/script&gt; &amp; more");
  expect(html).toContain(`role="log"`);
  expect(html).toContain(other.username);
  expect(html).toContain(`<textarea class="input" name="body"`);
  // Players have no tab for managing.
  expect(html).not.toContain("Manage");
  expect(html).not.toContain("Slow mode");
  expect(html).not.toContain(`>Chat</a>`);
});

test("a message by a plain form is stored once, however often the form is sent", async () => {
  const { sessionId, path } = await buildChat();
  const { html } = await reader.open(path);
  const key = /name="idempotency_key" value="([^"]+)"/.exec(html)?.[1] ?? "";
  for (let times = 0; times < 2; times += 1) {
    const sent = await reader.sendForm(path, { body: "Hello", idempotency_key: key });
    expect(sent).toMatchObject({ status: 303, location: path });
  }
  expect(await written(sessionId)).toMatchObject([{ userId: player.id, body: "Hello", clientId: key }]);
  const refused = await reader.sendForm(path, { body: "Hello, you again", idempotency_key: "another" });
  expect(refused.status).toBe(429);
  expect(refused.html).toContain("One message every 2 seconds.");
  expect(refused.html).toContain(">Hello, you again</textarea>");
  expect(await written(sessionId)).toHaveLength(1);
});

test("earlier messages have their own address, also without JavaScript", async () => {
  const { sessionId, path, other } = await buildChat();
  for (let number = 1; number <= 52; number += 1) {
    await buildMessage(deps, { sessionId, userId: other.id, body: `Number ${number}.` });
  }
  const { html } = await reader.open(path);
  expect(html).toContain("Number 3.");
  expect(html).not.toContain("Number 2.");
  const older = /href="([^"]+\?before=\d+)"/.exec(html)?.[1] ?? "";
  const earlier = await reader.open(older);
  expect(earlier.html).toContain("Number 2.");
  expect(earlier.html).not.toContain("Number 3.");
  expect(earlier.html).toContain("Newest messages");
  expect(earlier.html).not.toContain("<textarea");
});

test("an admin removes, mutes and slows down by plain forms; a refused form changes nothing", async () => {
  const { sessionId, path, other } = await buildChat();
  const messageId = await buildMessage(deps, { sessionId, userId: other.id, body: "Rude words" });
  expect((await host.open(path)).html).toContain("Remove message");
  const mute = { intent: "mute", user_id: String(other.id), minutes: "15", reason: "Rude" };
  const before = await readChat(deps);
  const refused = await host.sendForm(path, { ...mute, reason: "" });
  expect(refused.status).toBe(422);
  expect(refused.html).toContain("Reason can&#x27;t be blank");
  expect((await reader.sendForm(path, { intent: "remove", message_id: String(messageId) })).status).toBe(403);
  expect((await reader.sendForm(path, mute)).status).toBe(403);
  expect((await reader.sendForm(path, { intent: "slow_mode", seconds: "30" })).status).toBe(403);
  expect(await readChat(deps)).toEqual(before);

  expect(await host.sendForm(path, mute)).toMatchObject({ status: 303, location: `${path}?done=mute` });
  expect((await host.open(`${path}?done=mute`)).html).toContain("The player is muted.");
  for (const fields of [
    { intent: "remove", message_id: String(messageId) },
    { intent: "slow_mode", seconds: "30" },
  ]) {
    expect(await host.sendForm(path, fields)).toMatchObject({ status: 303, location: path });
  }
  const { html } = await host.open(path);
  expect(html).not.toContain("Rude words");
  expect(html).toContain("Removed");
  expect(html).toContain(`<option value="30" selected="">30 s</option>`);
  expect((await readSession(deps, sessionId)).settings).toMatchObject({ slowModeSeconds: 30 });
  expect((await reader.open(path)).html).toContain("Slow mode: one message every 30 seconds.");
  const muted = await readerFor(deps, server, other);
  const { html: theirs } = await muted.open(path);
  expect(theirs).toContain("You cannot write here until");
  expect(theirs).not.toContain("<textarea");
});

const JOIN = "/sessions/quiz-final/join";
const { id: sessionId } = await buildSession(deps, { slug: "quiz-final", name: "Quiz Final" });

const joined = () => deps.pool.db.select().from(registrations).where(eq(registrations.userId, player.id));

test("an invalid name is refused beside its field, and nobody joins", async () => {
  const page = await reader.sendForm(JOIN, { display_name: "x".repeat(41) });
  expect(page.status).toBe(422);
  expect(page.html).toContain("Display name is too long");
  expect(await joined()).toEqual([]);
});

test("a player joins by a plain form under a chosen name, and is then redirected to the action", async () => {
  expect((await reader.open("/sessions")).html).toContain(JOIN);
  const page = await reader.open(JOIN);
  expect(page.html).toContain("Join Quiz Final");
  expect(page.html).toContain(`value="${player.username}"`);

  const sent = await reader.sendForm(JOIN, { display_name: "The Oracle" });
  expect(sent).toMatchObject({ status: 303, location: "/sessions/quiz-final" });
  expect(await joined()).toMatchObject([{ displayName: "The Oracle" }]);
  expect(await reader.open(JOIN)).toMatchObject({ status: 302, location: "/sessions/quiz-final" });
  expect((await reader.open("/sessions")).html).not.toContain(JOIN);
});

test("a session that has ended cannot be joined", async () => {
  const { id, slug } = await buildRunningSession(deps, { slug: "last-year" });
  await stopSession(deps, { sessionId: id, actor: null });
  const page = await reader.open(`/sessions/${slug}/join`);
  expect([page.status, page.html.includes("This session is over")]).toEqual([200, true]);
  expect((await reader.sendForm(`/sessions/${slug}/join`, { display_name: "Late" })).status).toBe(422);
  expect(await joined()).toHaveLength(1);
});

// Being reminded works without JavaScript: a link to a file, and a plain form.

const REMIND = "/sessions/quiz-final/remind";
await buildDraft(deps, { sessionId });
const asked = () => deps.pool.db.$count(reminders, eq(reminders.userId, player.id));

test("a player is reminded of a session that is planned for a time by a plain form, and takes it back", async () => {
  expect((await reader.open("/sessions")).html).not.toContain(REMIND);
  const startsAt = new Date(Date.now() + 86_400_000);
  await deps.pool.db.update(sessions).set({ startsAt }).where(eq(sessions.id, sessionId));
  expect((await reader.open("/sessions")).html).toContain(REMIND);
  const page = await reader.open(REMIND);
  expect(page.html).toContain("/api/v1/sessions/quiz-final/calendar.ics");
  expect(page.html).toContain("Remind me by mail");
  expect(await reader.sendForm(REMIND, { intent: "set" })).toMatchObject({ status: 303, location: REMIND });
  expect(await asked()).toBe(1);
  expect((await reader.open(REMIND)).html).toContain("You get a mail 10 minutes before it starts.");
  expect(await reader.sendForm(REMIND, { intent: "remove" })).toMatchObject({
    status: 303,
    location: REMIND,
  });
  expect(await asked()).toBe(0);
});

test("a stranger gets the file and a way in, and no form", async () => {
  const { html, status } = await new Reader(server).open(REMIND);
  expect(status).toBe(200);
  expect(html).toContain("/api/v1/sessions/quiz-final/calendar.ics");
  expect(html).toContain("/users/sign_in?return_to=%2Fsessions%2Fquiz-final%2Fremind");
  expect(html).not.toContain("Remind me by mail");
});

test("once it has started, the page leads to the session", async () => {
  await startSession(deps, { sessionId, actor: null });
  expect(await reader.open(REMIND)).toMatchObject({ status: 302, location: "/sessions/quiz-final" });
});
