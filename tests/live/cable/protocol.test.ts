import { expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import { users } from "#db/schema/users.ts";
import { broadcast, type Broadcast, sessionStream, userStream } from "#src/base/streams/broadcast.ts";
import { afterFile } from "#tests/support/after-file.ts";
import { untilPasses, waitFor } from "#tests/support/wait-for.ts";
import { testWorld } from "#tests/support/world.ts";
import { buildSignedIn, startCableServer } from "./cable-server.ts";
import { sessionChannel, userChannel } from "./client.ts";

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
