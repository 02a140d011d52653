import { expect, test } from "bun:test";
import * as v from "valibot";
import { messageAnswer } from "#src/play/chat/schemas.ts";
import { createServer } from "#src/server.ts";
import { stageAnswer } from "#src/show/stage/schemas.ts";
import { buildAdmin, buildPlayer, buildRunningSession } from "#tests/support/build.ts";
import { signedInClient, signedOutClient } from "#tests/support/client.ts";
import { digestTables } from "#tests/support/database-digest.ts";
import { testDeps } from "#tests/support/deps.ts";
import { auditOf, buildMessage, readChat, sendMessage, viewerOf } from "./fixtures.ts";

const deps = await testDeps();
const server = createServer(deps);
const host = await buildAdmin(deps);
const player = await buildPlayer(deps);
const [asHost, asPlayer] = [
  await signedInClient(deps, server, host),
  await signedInClient(deps, server, player),
];
const anybody = await signedOutClient(server);

const approve = (id: number, client = asHost) => client.send("PUT", `/api/v1/messages/${id}/approve`);
const onScreen = async (slug: string) =>
  v
    .parse(stageAnswer, (await anybody.get(`/api/v1/sessions/${slug}/stage`)).body)
    .messages.map(({ body }) => body);

test("by the setting of a session a message is on the big screen once a host lets it, and a host's own at once", async () => {
  const { id: sessionId, slug } = await buildRunningSession(deps, { settings: { chatApproval: true } });
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
  const before = await digestTables(deps.pool.db);
  expect((await approve(second)).status).toBe(200);
  expect(await digestTables(deps.pool.db)).toBe(before);
  await sendMessage(deps, { viewer: viewerOf(host, ["admin"]), sessionId: slug, body: "From the host" });
  expect(await onScreen(slug)).toEqual(["Two", "From the host"]);
  await asHost.send("DELETE", `/api/v1/messages/${second}`);
  expect(await onScreen(slug)).toEqual(["From the host"]);
  // Without the setting all are shown.
  await asHost.send("PATCH", `/api/v1/sessions/${slug}`, { session: { settings: { chat_approval: false } } });
  expect(await onScreen(slug)).toEqual(["One", "From the host"]);
  expect(first).toBeLessThan(second);
});

test("without the setting, which is off, all messages are on the big screen at once", async () => {
  const { id: sessionId, slug } = await buildRunningSession(deps);
  await buildMessage(deps, { sessionId, userId: player.id, body: "At once" });
  expect(await onScreen(slug)).toEqual(["At once"]);
});

test("players approve nothing, and no deleted or unknown message is approved: nothing changes", async () => {
  const { id: sessionId } = await buildRunningSession(deps, { settings: { chatApproval: true } });
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
