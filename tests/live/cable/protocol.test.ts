import { expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import * as v from "valibot";
import { users } from "#db/schema/users.ts";
import type { Deps } from "#src/base/deps.ts";
import { broadcast, type Broadcast, sessionStream, userStream } from "#src/base/streams/broadcast.ts";
import { createRelay, type Relay } from "#src/live/relay/relay-outbox.ts";
import { sessionMessage, type SessionMessage } from "#src/live/relay/schemas.ts";
import { createGuest } from "#src/people/users/create-guest.ts";
import { destroyMessage } from "#src/play/chat/moderate-chat.ts";
import { buildMessage, readChat } from "#tests/play/chat/fixtures.ts";
import { afterFile, afterTest } from "#tests/support/after-file.ts";
import { buildSession, only } from "#tests/support/build.ts";
import { untilPasses, waitFor } from "#tests/support/wait-for.ts";
import { testWorld } from "#tests/support/world.ts";
import { buildSignedIn, type CableServer, type SignedIn, startCableServer } from "./cable-server.ts";
import { type Client, sessionChannel, userChannel } from "./client.ts";

const { deps, db, build } = await testWorld();
// A ping between two frames is not what is tested.
const server = startCableServer(deps, { pingMs: 600_000 });
const ana = await buildSignedIn(deps);
const ben = await buildSignedIn(deps);
const session = await build.session({ slug: "friday-night" });
const channel = userChannel(ana.gid);
afterFile(() => server.stop());

const connect = (who = ana) => server.connect(who);
const numbered = (number: number): Broadcast => ({
  stream: userStream(ana.user.id),
  text: JSON.stringify({ number }),
});

test("no message that is broadcast after the confirmation is missed", async () => {
  for (let round = 1; round <= 20; round += 1) {
    const client = await connect();
    await client.follow(channel);
    await broadcast(deps.redis, [numbered(round)]);
    await untilPasses(() => expect(client.messages(channel)).toEqual([{ number: round }]));
    client.close();
    await client.waitForClose();
  }
});

test("subscribing twice gets no second confirmation and no message twice", async () => {
  const client = await waitFor("a client that does so within two seconds", async () => {
    const startMs = performance.now();
    const trying = await connect();
    await trying.follow(channel);
    trying.send({ command: "subscribe", identifier: channel });
    await trying.settled();
    return performance.now() - startMs < 2_000 && trying;
  });
  await broadcast(deps.redis, [numbered(1)]);
  await waitFor("the message", () => client.messages(channel).length > 0);
  await client.settled();
  expect(client.ofType("confirm_subscription")).toHaveLength(1);
  expect(client.messages(channel)).toEqual([{ number: 1 }]);
  client.close();
});

test("subscribing twice is confirmed again after two seconds, because the client has lost the confirmation", async () => {
  const client = await connect();
  await client.follow(channel);
  await Bun.sleep(2_050);
  client.send({ command: "subscribe", identifier: channel });
  await waitFor("the second confirm", () => client.ofType("confirm_subscription").length === 2);
  client.close();
});

test("unsubscribing gets no answer, and no more messages arrive", async () => {
  const client = await connect();
  await client.follow(channel);
  client.send({ command: "unsubscribe", identifier: channel });
  await client.settled();
  await broadcast(deps.redis, [numbered(1)]);
  await client.settled();
  expect(client.frames.map(({ type }) => type)).toEqual([
    "welcome",
    "confirm_subscription",
    "reject_subscription",
    "reject_subscription",
  ]);
  await client.follow(channel);
  client.close();
});

test("unsubscribing by the last subscriber unsubscribes the stream in Redis too", async () => {
  const ben = await buildSignedIn(deps);
  const client = await connect(ben);
  const subscribers = async () => (await deps.redis.pubsub("NUMSUB", userStream(ben.user.id)))[1];
  await client.follow(userChannel(ben.gid));
  expect(await subscribers()).toBe(1);
  client.close();
  await waitFor("the stream to be left", async () => (await subscribers()) === 0);
});

test.each<[string, string | Uint8Array<ArrayBuffer>]>([
  ["no JSON", "{"],
  ["nothing", ""],
  ["a number", "42"],
  ["null", "null"],
  ["an array", "[]"],
  ["an unknown command", '{"command":"dance","identifier":"{}"}'],
  ["no identifier", '{"command":"subscribe"}'],
  ["an identifier that is no text", '{"command":"subscribe","identifier":{"channel":"UserChannel"}}'],
  ["a name that every object has", '{"command":"constructor","identifier":"{}"}'],
  ["deep JSON", "[".repeat(30_000)],
  ["a binary frame", new TextEncoder().encode('{"command":"subscribe","identifier":"{}"}')],
  [
    "an action of a channel without any",
    '{"command":"message","identifier":"{}","data":"{\\"action\\":\\"x\\"}"}',
  ],
  ["a message without data", '{"command":"message","identifier":"{}"}'],
])("an invalid frame is ignored, and the connection stays open: %s", async (_name, sent) => {
  const client = await connect();
  client.socket.send(sent);
  await client.settled();
  expect(client.frames.map(({ type }) => type)).toEqual(["welcome", "reject_subscription"]);
  await client.follow(channel);
  client.close();
});

test("limits: commands beyond 20 a second wait and keep their order", async () => {
  const client = await connect();
  const startMs = performance.now();
  const identifiers = Array.from({ length: 30 }, (_, index) => userChannel(`nobody ${index}`));
  for (const identifier of identifiers) client.send({ command: "subscribe", identifier });
  await waitFor("the answers", () => client.ofType("reject_subscription").length === 30);
  expect(performance.now() - startMs).toBeGreaterThan(900);
  expect(client.ofType("reject_subscription").map(({ identifier }) => identifier)).toEqual(identifiers);
  client.close();
});

test.each<[string, () => string]>([
  ["another player's UserChannel", () => userChannel(ben.gid)],
  ["a UserChannel by number", () => JSON.stringify({ channel: "UserChannel", id: ana.user.id })],
  ["a UserChannel without an id", () => JSON.stringify({ channel: "UserChannel" })],
  ["a session that is not there", () => sessionChannel("no-such-session")],
  ["a session number that is not there", () => sessionChannel(999_999_999)],
  ["a session number that is too large", () => sessionChannel("99999999999999999999999")],
  ["an unknown channel", () => JSON.stringify({ channel: "ChatChannel", id: 1 })],
  ["a channel that every object has", () => JSON.stringify({ channel: "toString", id: 1 })],
  ["an identifier that is no JSON", () => "UserChannel"],
  ["an identifier that is a list", () => "[]"],
  ["an empty identifier", () => ""],
])("a subscription is rejected, and no message arrives, for %s", async (_name, identifier) => {
  const client = await connect();
  client.send({ command: "subscribe", identifier: identifier() });
  const frame = await client.waitForFrame("an answer", ({ type }) => type !== "welcome" && type !== "ping");
  expect(frame).toEqual({ type: "reject_subscription", identifier: identifier() });
  client.close();
});

test("guests and players subscribe by id or slug, and get messages under the identifier they sent", async () => {
  const guest = await buildSignedIn(deps);
  await db.update(users).set({ guest: true, email: null }).where(eq(users.id, guest.user.id));
  const spellings = [
    sessionChannel(session.id),
    sessionChannel(String(session.id)),
    sessionChannel("friday-night"),
  ];
  const asked = [ana, guest].flatMap((who) => spellings.map((spelling) => ({ who, spelling })));
  const clients = await Promise.all(
    asked.map(async ({ who, spelling }) => ({ client: await connect(who), spelling })),
  );
  for (const { client, spelling } of clients) await client.follow(spelling);
  await broadcast(deps.redis, [{ stream: sessionStream(session.id), text: '{"said":1}' }]);
  for (const { client, spelling } of clients) {
    await waitFor("the message", () =>
      client.messages(spelling).some((message) => Bun.deepEquals(message, { said: 1 })),
    );
    client.close();
  }
});

test.each<[string, () => string[]]>([
  ["a session", () => [session.id, String(session.id), "friday-night"].map(sessionChannel)],
  ["a player", () => [userChannel(ana.gid)]],
])(
  "a socket follows %s once, whatever its channel is called, and others are rejected",
  async (_, namesOf) => {
    const [first = "", ...others] = namesOf();
    const spelled = [...others, ` ${first}`, first.replace(":", ": "), first.replace("{", '{"more":1,')];
    const client = await connect();
    await client.follow(first);
    for (const identifier of spelled) {
      client.send({ command: "subscribe", identifier });
      await client.waitForFrame("the rejection", (frame) => frame.identifier === identifier);
    }
    expect(client.ofType("reject_subscription").map(({ identifier }) => identifier)).toEqual(spelled);
    client.send({ command: "unsubscribe", identifier: first });
    const [second = ""] = spelled;
    client.send({ command: "subscribe", identifier: second });
    await waitFor("its confirmation", () => client.ofType("confirm_subscription").length === 2);
    client.close();
  },
);

type Process = { deps: Deps; relay: Relay; server: CableServer };
const processes: Process[] = [];

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
