import { expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import * as v from "valibot";
import { users } from "#db/schema/users.ts";
import type { Deps } from "#src/base/deps.ts";
import { createRelay, type Relay } from "#src/live/relay/relay-outbox.ts";
import { sessionMessage, type SessionMessage } from "#src/live/relay/schemas.ts";
import { createGuest } from "#src/people/users/create-guest.ts";
import { destroyMessage } from "#src/play/chat/moderate-chat.ts";
import { buildMessage, readChat } from "#tests/play/chat/fixtures.ts";
import { afterTest } from "#tests/support/after-file.ts";
import { buildSession, only } from "#tests/support/build.ts";
import { testDeps } from "#tests/support/deps.ts";
import { waitFor } from "#tests/support/wait-for.ts";
import { buildSignedIn, type SignedIn, type CableServer, startCableServer } from "./cable-server.ts";
import { type Client, sessionChannel, userChannel } from "./client.ts";

type Process = { deps: Deps; relay: Relay; server: CableServer };
const processes: Process[] = [];

const deps = await testDeps();

afterTest(async () => {
  for (const { server, relay } of processes.splice(0)) {
    await server.stop();
    await relay.stop();
  }
});

/** A web process with its own relay. */
function startProcess(): Process {
  const relay = createRelay(deps);
  const own: Deps = { ...deps, notifyRelay: () => relay.notify() };
  const started = { deps: own, relay, server: startCableServer(own) };
  processes.push(started);
  return started;
}

async function join({ server }: Process, who: SignedIn, channel: string): Promise<Client> {
  const client = await server.connect(who);
  await client.follow(channel);
  return client;
}

type ChatMessage = Extract<SessionMessage, { sourceType: "Message" }>;

/** The chat messages that a page has received. */
function chatOf(client: Client, channel: string): ChatMessage[] {
  return client.messages(channel).flatMap((message) => {
    const received = v.parse(sessionMessage, message);
    return received.sourceType === "Message" ? [received] : [];
  });
}

const receivedBy = (client: Client, channel: string, eventType: ChatMessage["eventType"]) =>
  waitFor(
    `the message of ${eventType}`,
    () => chatOf(client, channel).find((message) => message.eventType === eventType) ?? null,
  );

async function buildGuest(): Promise<SignedIn> {
  const { viewer } = await createGuest(deps, { address: "", userAgent: null });
  return buildSignedIn(deps, only(await deps.pool.db.select().from(users).where(eq(users.id, viewer.id))));
}

test("a chat message reaches all accounts in all processes, and no guest", async () => {
  const { id } = await buildSession(deps);
  const channel = sessionChannel(id);
  const [one, two] = [startProcess(), startProcess()];
  const [ana, ben, guest] = [await buildSignedIn(deps), await buildSignedIn(deps), await buildGuest()];
  const hers = await join(one, ana, channel);
  const his = await join(two, ben, channel);
  const watching = await join(two, guest, channel);
  hers.perform(channel, "speak", { body: "Hello <i>all</i>", client_id: "one" });
  for (const client of [hers, his]) {
    expect(await receivedBy(client, channel, "create")).toMatchObject({
      detail: { message: { sessionId: id, userId: ana.user.id, body: "Hello <i>all</i>", clientId: "one" } },
    });
  }
  const { detail } = await receivedBy(his, channel, "create");
  if (!("message" in detail)) throw new Error("a message was expected");
  await destroyMessage(one.deps, { messageId: detail.message.id, actor: null });
  expect(await receivedBy(his, channel, "destroy")).toMatchObject({
    detail: { message: { id: detail.message.id, body: "", deletedAt: expect.any(String) } },
  });
  // The offsets are those of the chat's own stream.
  const offsets = his
    .messagesWithOffsets(channel)
    .flatMap(({ sourceType, offset }) => (sourceType === "Message" ? [offset] : []));
  expect(offsets).toEqual([1, 2]);
  expect(chatOf(watching, channel)).toEqual([]);
});

test("a repeated chat message is stored once, and only its sender gets it again", async () => {
  const { id } = await buildSession(deps);
  const channel = sessionChannel(id);
  const web = startProcess();
  const [ana, ben] = [await buildSignedIn(deps), await buildSignedIn(deps)];
  const [hers, his] = [await join(web, ana, channel), await join(web, ben, channel)];
  hers.perform(channel, "speak", { body: "Once", clientId: "once" });
  await receivedBy(his, channel, "create");
  const again = await join(web, ana, channel);
  again.perform(channel, "speak", { body: "Once", clientId: "once" });
  const first = await receivedBy(hers, channel, "create");
  expect((await receivedBy(again, channel, "create")).detail).toMatchObject({
    message: "message" in first.detail ? first.detail.message : null,
  });
  expect(chatOf(his, channel)).toHaveLength(1);
});

test("a refusal goes to the sender only, and nothing changes", async () => {
  const { id } = await buildSession(deps);
  const channel = sessionChannel(id);
  const web = startProcess();
  const [ana, ben, guest] = [await buildSignedIn(deps), await buildSignedIn(deps), await buildGuest()];
  const his = await join(web, ben, channel);
  const before = await readChat(deps);
  for (const [who, fields, refusal] of [
    [ana, { body: "fuck", clientId: "a" }, { clientId: "a", status: 422, code: "word" }],
    [ana, { body: " ", client_id: "b" }, { clientId: "b", error: "Validation failed: Body can't be blank" }],
    [ana, {}, { clientId: null, error: "Validation failed: Body is required" }],
    [guest, { body: "Hello", clientId: "g" }, { clientId: "g", status: 403, code: "guest" }],
  ] as const) {
    const client = await join(web, who, channel);
    client.perform(channel, "speak", fields);
    expect((await receivedBy(client, channel, "refuse")).detail).toMatchObject(refusal);
  }
  expect(await readChat(deps)).toEqual(before);
  const hers = await join(web, ana, channel);
  hers.perform(channel, "speak", { body: "One", clientId: "1" });
  hers.perform(channel, "speak", { body: "Two", clientId: "2" });
  expect((await receivedBy(hers, channel, "refuse")).detail).toMatchObject({
    clientId: "2",
    status: 429,
    code: "too_soon",
    retryAfterSeconds: expect.any(Number),
  });
  await receivedBy(his, channel, "create");
  expect(chatOf(his, channel)).toHaveLength(1);
});

test("chat messages cannot be sent on a UserChannel, and are not part of a catch-up", async () => {
  const { id } = await buildSession(deps);
  const web = startProcess();
  const ana = await buildSignedIn(deps);
  await buildMessage(deps, { sessionId: id, userId: ana.user.id, body: "Before" });
  const before = await readChat(deps);
  const hers = await join(web, ana, userChannel(ana.gid));
  hers.perform(userChannel(ana.gid), "speak", { body: "Hello" });
  const channel = sessionChannel(id);
  await hers.follow(channel);
  expect(await readChat(deps)).toEqual(before);
  expect(chatOf(hers, channel)).toEqual([]);
});
