import { expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import * as v from "valibot";
import { mutes } from "#db/schema/messages.ts";
import { users } from "#db/schema/users.ts";
import { createGuest } from "#src/people/users/create-guest.ts";
import { messageAnswer, messagesAnswer, muteAnswer } from "#src/play/chat/schemas.ts";
import { type TestClient } from "#tests/support/client.ts";
import { testWorld } from "#tests/support/world.ts";
import { auditOf, buildMessage } from "./fixtures.ts";

const { deps, db, build, unchanged, client } = await testWorld();

async function buildChat() {
  const session = await build.session();
  const [player, admin] = [await build.player(), await build.admin()];
  const { viewer: guest } = await createGuest(deps, { address: "", userAgent: null });
  return {
    session,
    player,
    admin,
    asPlayer: await client(player),
    asAdmin: await client(admin),
    asGuest: await client(guest),
  };
}

const speak = (visitor: TestClient, message: Record<string, unknown>, headers: Record<string, string> = {}) =>
  visitor.send("POST", "/api/v1/messages", { message }, headers);
const listOf = (visitor: TestClient, query: string) =>
  visitor.read(`/api/v1/messages?${query}`, messagesAnswer);

test("a message becomes plain text that keeps its lines, and is listed with name and avatar", async () => {
  const { session, player, asPlayer } = await buildChat();
  const body = " \u202eHello\u0007 <b>you</b>\r\n\tall\u200b\r\rof\u2028 \n\n\nyou ";
  const { status, body: answer } = await speak(asPlayer, { session_id: session.slug, body });
  expect(status).toBe(201);
  const { message } = v.parse(messageAnswer, answer);
  expect(message).toMatchObject({
    sessionId: session.id,
    userId: player.id,
    username: player.username,
    body: "Hello <b>you</b>\nall\n\nof\n\nyou",
    deletedAt: null,
  });
  const { messages, meta } = await listOf(asPlayer, `session_id=${session.id}`);
  expect(messages).toEqual([message]);
  expect(meta).toMatchObject({ before: null, muted: null });
});

test.each([
  ["without words", { body: " \u200b\n " }, "Body can't be blank"],
  ["of 13 lines", { body: "a\n".repeat(13) + "b" }, "Body has too many lines (maximum is 12)"],
])("a message is refused, and nothing changes %s", async (_, fields, sentence) => {
  const { session, asPlayer } = await buildChat();
  const { status, body } = await unchanged(() => speak(asPlayer, { session_id: session.slug, ...fields }));
  expect(status).toBe(422);
  expect(body).toMatchObject({ error: `Validation failed: ${sentence}` });
});

test("lists the newest 50 in order, older ones by `before`, and none of other sessions", async () => {
  const { session, player, asPlayer } = await buildChat();
  const elsewhere = await build.session();
  for (let number = 1; number <= 53; number += 1) {
    await buildMessage(deps, { sessionId: session.id, userId: player.id, body: `Number ${number}` });
  }
  await buildMessage(deps, { sessionId: elsewhere.id, userId: player.id });
  const newest = await listOf(asPlayer, `session_id=${session.slug}`);
  expect(newest.messages).toHaveLength(50);
  expect(newest.messages.at(0)?.body).toBe("Number 4");
  expect(newest.messages.at(-1)?.body).toBe("Number 53");
  expect(newest.meta.before).toBe(newest.messages[0]?.id ?? 0);
  const older = await listOf(asPlayer, `session_id=${session.slug}&before=${newest.meta.before}`);
  expect(older.messages.map(({ body }) => body)).toEqual(["Number 1", "Number 2", "Number 3"]);
  expect(older.meta.before).toBeNull();
});

test("the list requires a session: 422 without, 404 for an unknown one", async () => {
  const { asPlayer } = await buildChat();
  expect(await asPlayer.get("/api/v1/messages")).toMatchObject({
    status: 422,
    body: { error: "Validation failed: Session id is required" },
  });
  expect((await asPlayer.get("/api/v1/messages?session_id=nowhere")).status).toBe(404);
  expect((await asPlayer.get("/api/v1/messages?session_id=1&before=x")).status).toBe(422);
});

test("a message deleted by an admin has no text anywhere but in the audit log", async () => {
  const { session, player, admin, asPlayer, asAdmin } = await buildChat();
  const id = await buildMessage(deps, { sessionId: session.id, userId: player.id, body: "Rude" });
  const path = `/api/v1/messages/${id}`;
  expect(await unchanged(() => asPlayer.send("DELETE", path))).toMatchObject({ status: 403 });
  expect((await asAdmin.send("DELETE", path)).status).toBe(204);
  expect(await unchanged(() => asAdmin.send("DELETE", path))).toMatchObject({ status: 204 });
  expect(await unchanged(() => asAdmin.send("DELETE", `/api/v1/messages/${id + 1_000}`))).toMatchObject({
    status: 404,
  });
  const { messages } = await listOf(asPlayer, `session_id=${session.slug}`);
  expect(messages).toMatchObject([{ id, body: "", username: player.username }]);
  expect(messages[0]?.deletedAt).toBeString();
  expect(await auditOf(deps, id)).toMatchObject([
    {
      actorId: admin.id,
      action: "destroy_message",
      subjectType: "message",
      sessionId: session.id,
      before: { userId: player.id, body: "Rude" },
    },
  ]);
  const audit = await asAdmin.get(`/api/v1/sessions/${session.slug}/audit`);
  expect(audit).toMatchObject({ status: 200, body: { audit: [{ action: "destroy_message" }] } });
});

test("a muted player reads the reason and the end of the mute", async () => {
  const { session, player, admin, asPlayer, asAdmin } = await buildChat();
  const terms = { session_id: session.slug, user_id: player.id, minutes: 5, reason: "Shouting" };
  const mute = (visitor: TestClient, changes: Record<string, unknown> = {}) =>
    visitor.send("POST", "/api/v1/mutes", { mute: { ...terms, ...changes } });
  expect(await unchanged(() => mute(asPlayer))).toMatchObject({ status: 403 });
  for (const [changes, sentence] of [
    [{ minutes: 0 }, "Minutes must be greater than or equal to 1"],
    [{ minutes: 1_441 }, "Minutes must be less than or equal to 1440"],
    [{ reason: " " }, "Reason can't be blank"],
    [{ user_id: admin.id }, "User id is invalid"],
    [{ user_id: 9_999_999 }, "User must exist"],
  ] as const) {
    const { status, body } = await unchanged(() => mute(asAdmin, changes));
    expect(status).toBe(422);
    expect(body).toMatchObject({ error: `Validation failed: ${sentence}` });
  }
  const { status, body } = await mute(asAdmin);
  expect(status).toBe(201);
  const { mute: made } = v.parse(muteAnswer, body);
  expect((await listOf(asPlayer, `session_id=${session.slug}`)).meta.muted).toEqual(made);
  expect((await listOf(asAdmin, `session_id=${session.slug}`)).meta.muted).toBeNull();
  expect(await auditOf(deps, player.id)).toMatchObject([
    { actorId: admin.id, action: "mute", subjectType: "user", after: { minutes: 5 }, reason: "Shouting" },
  ]);
  // The mutes are deleted with the session.
  expect((await asAdmin.send("DELETE", `/api/v1/sessions/${session.slug}`)).status).toBe(204);
  expect(await db.$count(mutes, eq(mutes.sessionId, session.id))).toBe(0);
});

test("a player's messages stay when the account is deactivated", async () => {
  const { session, player, asAdmin } = await buildChat();
  await buildMessage(deps, { sessionId: session.id, userId: player.id, body: "I was here" });
  await db.update(users).set({ deactivatedAt: new Date() }).where(eq(users.id, player.id));
  const { messages } = await listOf(asAdmin, `session_id=${session.slug}`);
  expect(messages).toMatchObject([{ body: "I was here", username: player.username }]);
});
