import { expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import { messages } from "#db/schema/messages.ts";
import { registrations } from "#db/schema/sessions.ts";
import { buildMessage, readChat } from "#tests/play/chat/fixtures.ts";
import { testWorld } from "#tests/support/world.ts";
import { readerFor } from "./browser.ts";

const { deps, db, build, read, server } = await testWorld();
const player: { id: number; email: string | null; username: string } = await build.player();
const reader = await readerFor(deps, server, player);
const host = await readerFor(deps, server, await build.admin());

async function buildChat() {
  const { id, slug } = await build.session();
  const other = await build.player();
  return { sessionId: id, path: `/sessions/${slug}/chat`, other };
}
const written = (sessionId: number) => db.select().from(messages).where(eq(messages.sessionId, sessionId));

test("a message by a plain form is stored once, however often the form is sent", async () => {
  const { sessionId, path } = await buildChat();
  const { html } = await reader.open(path);
  const key = /name="idempotency_key" value="([^"]+)"/.exec(html)?.[1] ?? "";
  for (let times = 0; times < 2; times += 1) {
    const sent = await reader.sendForm(path, { body: "Hello", idempotency_key: key });
    expect(sent).toMatchObject({ status: 303, location: path });
  }
  expect(await written(sessionId)).toMatchObject([{ userId: player.id, body: "Hello", clientId: key }]);
  // The next one is too soon, however slow this machine is.
  await db.update(messages).set({ createdAt: new Date(Date.now() + 60_000) });
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
  expect((await read.session(sessionId)).settings).toMatchObject({ slowModeSeconds: 30 });
  expect((await reader.open(path)).html).toContain("Slow mode: one message every 30 seconds.");
  const muted = await readerFor(deps, server, other);
  const { html: theirs } = await muted.open(path);
  expect(theirs).toContain("You cannot write here until");
  expect(theirs).not.toContain("<textarea");
});

const JOIN = "/sessions/quiz-final/join";
await build.session({ slug: "quiz-final", name: "Quiz Final" });

const joined = () => db.select().from(registrations).where(eq(registrations.userId, player.id));

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
