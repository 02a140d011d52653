import { expect, test } from "bun:test";
import { asc, eq } from "drizzle-orm";
import * as v from "valibot";
import { messages } from "#db/schema/messages.ts";
import { outbox } from "#db/schema/outbox.ts";
import { sessions } from "#db/schema/sessions.ts";
import { createMessage } from "#src/play/chat/create-message.ts";
import { mutePlayer } from "#src/play/chat/moderate-chat.ts";
import { messageAnswer } from "#src/play/chat/schemas.ts";
import { stageAnswer } from "#src/show/stage/schemas.ts";
import { testWorld } from "#tests/support/world.ts";
import { auditOf, buildMessage, readChat, sendMessage, viewerOf } from "./fixtures.ts";

const { deps, db, build, refused, client, unchanged, set, stopClockAt } = await testWorld();

const start = Date.parse("2026-11-21T20:00:00.000Z");
const clockAt = (seconds: number) => stopClockAt(new Date(start + seconds * 1_000));

/** A session with two players, at 20:00:00. */
async function buildChat({ slowModeSeconds = 0 } = {}) {
  await clockAt(0);
  const session = await build.session({ settings: { slowModeSeconds } });
  const [ana, ben] = [await build.player(), await build.player()];
  return { sessionId: session.slug, id: session.id, ana: viewerOf(ana), ben: viewerOf(ben) };
}

const bodiesIn = async (sessionId: number) =>
  (
    await db
      .select({ body: messages.body })
      .from(messages)
      .where(eq(messages.sessionId, sessionId))
      .orderBy(asc(messages.id))
  ).map(({ body }) => body);

/** Expects a refusal that changes nothing. */
const refusedMessage = (message: Parameters<typeof sendMessage>[1]) =>
  refused(() => sendMessage(deps, message));

test("a message is written at the game's time, with a fact in the outbox", async () => {
  const { sessionId, id, ana } = await buildChat();
  const messageId = await sendMessage(deps, { viewer: ana, sessionId, body: "What a start" });
  const [row] = await db.select().from(messages).where(eq(messages.id, messageId));
  expect(row).toMatchObject({ sessionId: id, userId: ana.id, body: "What a start", deletedAt: null });
  expect(row?.createdAt).toEqual(new Date(start));
  const facts = await db.select().from(outbox).where(eq(outbox.kind, "message_created"));
  expect(facts.at(-1)?.payload).toEqual({ messageId });
});

test("the same client id and text make one message, also when sent concurrently", async () => {
  const { sessionId, id, ana, ben } = await buildChat();
  const message = { viewer: ana, sessionId, body: "Once", clientId: "one" };
  const answers = await Promise.all(Array.from({ length: 6 }, () => createMessage(deps, message)));
  expect(new Set(answers.map(({ messageId }) => messageId)).size).toBe(1);
  expect(answers.filter(({ replayed }) => !replayed)).toHaveLength(1);
  expect(await bodiesIn(id)).toEqual(["Once"]);
  // Another player can use the same client id.
  await sendMessage(deps, { ...message, viewer: ben, body: "Twice" });
  expect(await bodiesIn(id)).toEqual(["Once", "Twice"]);
});

test("a client id cannot be reused for another text or session", async () => {
  const { sessionId, ana } = await buildChat();
  await sendMessage(deps, { viewer: ana, sessionId, clientId: "mine" });
  await clockAt(60);
  const other = await build.session();
  for (const message of [
    { sessionId, body: "Something else" },
    { sessionId: other.slug, body: "Hello" },
  ]) {
    expect(await refusedMessage({ viewer: ana, clientId: "mine", ...message })).toMatchObject({
      status: 422,
      code: "idempotency_key_reused",
      message: "Validation failed: Idempotency key has already been taken",
    });
  }
});

test("a player can write every 2 seconds in all sessions together; of two at once one is refused", async () => {
  const { sessionId, ana, ben } = await buildChat();
  const other = await build.session();
  const both = await Promise.allSettled([
    sendMessage(deps, { viewer: ana, sessionId }),
    sendMessage(deps, { viewer: ana, sessionId: other.slug }),
  ]);
  expect(both.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
  await clockAt(1.2);
  expect(await refusedMessage({ viewer: ana, sessionId })).toMatchObject({
    status: 429,
    code: "too_soon",
    message: "One message every 2 seconds. Try again in a second.",
    details: { retryAfterSeconds: 1 },
  });
  await sendMessage(deps, { viewer: ben, sessionId });
  await clockAt(2);
  await sendMessage(deps, { viewer: ana, sessionId });
});

test("slow mode applies to players in its own session only, and not to admins", async () => {
  const { sessionId, ana } = await buildChat({ slowModeSeconds: 30 });
  const admin = viewerOf(await build.admin(), ["admin"]);
  const elsewhere = await build.session();
  await sendMessage(deps, { viewer: ana, sessionId });
  await sendMessage(deps, { viewer: admin, sessionId });
  await clockAt(3);
  await sendMessage(deps, { viewer: ana, sessionId: elsewhere.slug });
  await sendMessage(deps, { viewer: admin, sessionId });
  await clockAt(10);
  expect(await refusedMessage({ viewer: ana, sessionId })).toMatchObject({
    status: 429,
    message: "Slow mode is on: one message every 30 seconds. Try again in 20 seconds.",
    details: { retryAfterSeconds: 20 },
  });
  // Turning it off takes effect at once.
  await set(sessions, eq(sessions.slug, sessionId), { settings: { slowModeSeconds: 5 } });
  await sendMessage(deps, { viewer: ana, sessionId });
});

test("a muted player cannot write in that session until the mute ends", async () => {
  const { sessionId, ana, ben } = await buildChat();
  const elsewhere = await build.session();
  const actor = await build.admin();
  const muting = { actor, sessionId, userId: ana.id, reason: "Shouting" };
  await mutePlayer(deps, { ...muting, minutes: 10 });
  await clockAt(30);
  expect(await refusedMessage({ viewer: ana, sessionId })).toMatchObject({
    status: 403,
    code: "muted",
    message: "You cannot write here for 10 minutes: Shouting",
  });
  await sendMessage(deps, { viewer: ana, sessionId: elsewhere.slug });
  await sendMessage(deps, { viewer: ben, sessionId });
  // A shorter mute replaces it.
  await mutePlayer(deps, { ...muting, minutes: 1, reason: "Enough" });
  expect(await refusedMessage({ viewer: ana, sessionId })).toMatchObject({
    message: "You cannot write here for a minute: Enough",
  });
  await clockAt(90);
  await sendMessage(deps, { viewer: ana, sessionId });
});

test("guests cannot write, and nobody can in an unknown session", async () => {
  const { sessionId, ana } = await buildChat();
  expect(await refusedMessage({ viewer: { ...ana, guest: true }, sessionId })).toMatchObject({
    status: 403,
    code: "guest",
  });
  expect(await refusedMessage({ viewer: ana, sessionId: "no-such-session" })).toMatchObject({ status: 404 });
});

test("insults are refused for all, links for all but admins", async () => {
  const { sessionId, id, ana } = await buildChat();
  const admin = viewerOf(await build.admin(), ["admin"]);
  const word = {
    status: 422,
    code: "word",
    message: "Validation failed: Body has a word that is not used here",
  };
  expect(await refusedMessage({ viewer: ana, sessionId, body: "you sh1t" })).toMatchObject({
    ...word,
    details: { detail: 'Say it without "sh1t".' },
  });
  expect(await refusedMessage({ viewer: admin, sessionId, body: "you shit" })).toMatchObject(word);
  const body = "See https://example.com/odds";
  expect(await refusedMessage({ viewer: ana, sessionId, body })).toMatchObject({
    status: 422,
    code: "link",
    message: "Validation failed: Body has a link",
    details: { detail: 'Say it without "https://example.com/odds".' },
  });
  await sendMessage(deps, { viewer: admin, sessionId, body });
  expect(await bodiesIn(id)).toEqual([body]);
});

const host = await build.admin();
const player = await build.player();
const [asHost, asPlayer] = [await client(host), await client(player)];
const anybody = await client();

const approve = (id: number, client = asHost) => client.send("PUT", `/api/v1/messages/${id}/approve`);
const onScreen = async (slug: string) =>
  v
    .parse(stageAnswer, (await anybody.get(`/api/v1/sessions/${slug}/stage`)).body)
    .messages.map(({ body }) => body);

test("by the setting of a session a message is on the big screen once a host lets it, and a host's own at once", async () => {
  const { id: sessionId, slug } = await build.runningSession({ settings: { chatApproval: true } });
  const message = { sessionId, userId: player.id };
  const [first, second] = [
    await buildMessage(deps, { ...message, body: "One" }),
    await buildMessage(deps, { ...message, body: "Two" }),
  ];
  expect(await onScreen(slug)).toEqual([]);
  const { status, body } = await approve(second);
  expect(status).toBe(200);
  expect(v.parse(messageAnswer, body).message).toMatchObject({ id: second, approvedAt: expect.any(String) });
  expect(await onScreen(slug)).toEqual(["Two"]);
  expect(await auditOf(deps, second)).toMatchObject([
    { actorId: host.id, action: "approve_message", sessionId },
  ]);
  // Again, which changes nothing.
  expect((await unchanged(() => approve(second))).status).toBe(200);
  await sendMessage(deps, { viewer: viewerOf(host, ["admin"]), sessionId: slug, body: "From the host" });
  expect(await onScreen(slug)).toEqual(["Two", "From the host"]);
  await asHost.send("DELETE", `/api/v1/messages/${second}`);
  expect(await onScreen(slug)).toEqual(["From the host"]);
  // Without the setting all are shown.
  await asHost.send("PATCH", `/api/v1/sessions/${slug}`, { session: { settings: { chat_approval: false } } });
  expect(await onScreen(slug)).toEqual(["One", "From the host"]);
  expect(first).toBeLessThan(second);
});

test("players approve nothing, and no deleted or unknown message is approved: nothing changes", async () => {
  const { id: sessionId } = await build.runningSession({ settings: { chatApproval: true } });
  const message = { sessionId, userId: player.id };
  const [waiting, deleted] = [await buildMessage(deps, message), await buildMessage(deps, message)];
  await asHost.send("DELETE", `/api/v1/messages/${deleted}`);
  const before = await readChat(deps);
  expect((await approve(waiting, asPlayer)).status).toBe(403);
  expect((await approve(waiting, anybody)).status).toBe(401);
  expect((await approve(deleted)).status).toBe(422);
  expect((await approve(999_999)).status).toBe(404);
  expect(await readChat(deps)).toEqual(before);
});
