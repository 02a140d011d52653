import { describe, expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import { users } from "#db/schema/users.ts";
import { broadcast, sessionStream, userStream } from "#src/base/streams/broadcast.ts";
import { afterFile } from "#tests/support/after-file.ts";
import { buildSession } from "#tests/support/build.ts";
import { testDeps } from "#tests/support/deps.ts";
import { waitFor } from "#tests/support/wait-for.ts";
import { buildSignedIn, type SignedIn, startCableServer } from "./cable-server.ts";
import { Client, sessionChannel, userChannel } from "./client.ts";

const deps = await testDeps();
const server = startCableServer(deps);
const ana = await buildSignedIn(deps);
const ben = await buildSignedIn(deps);
const session = await buildSession(deps, { slug: "friday-night" });
afterFile(() => server.stop());

const connect = (who: SignedIn) =>
  new Client(server.url, { origin: server.origin, cookie: who.cookie }).welcomed();

describe("a subscription is rejected, and no message arrives, for", () => {
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
  ])("%s", async (_name, identifier) => {
    const client = await connect(ana);
    client.send({ command: "subscribe", identifier: identifier() });
    const frame = await client.waitForFrame("an answer", ({ type }) => type !== "welcome" && type !== "ping");
    expect(frame).toEqual({ type: "reject_subscription", identifier: identifier() });
    client.close();
  });
});

test("a player subscribes to the UserChannel with the own gid, and gets the own messages only", async () => {
  const client = await connect(ana);
  await client.follow(userChannel(ana.gid));
  await broadcast(deps.redis, [
    { stream: userStream(ben.user.id), text: '{"for":"ben"}' },
    { stream: userStream(ana.user.id), text: '{"for":"ana"}' },
  ]);
  await client.waitForFrame("the message", ({ message }) => message?.["for"] === "ana");
  expect(client.messages(userChannel(ana.gid))).toEqual([{ for: "ana" }]);
  client.close();
});

test("guests and players subscribe by id or slug, and get messages under the identifier they sent", async () => {
  const guest = await buildSignedIn(deps);
  await deps.pool.db.update(users).set({ guest: true, email: null }).where(eq(users.id, guest.user.id));
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
    const client = await connect(ana);
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

test("a message of one session does not arrive in another", async () => {
  const other = await buildSession(deps);
  const client = await connect(ana);
  await client.follow(sessionChannel(session.id));
  await client.follow(sessionChannel(other.id));
  await broadcast(deps.redis, [
    { stream: sessionStream(other.id), text: '{"said":"there"}' },
    { stream: sessionStream(session.id), text: '{"said":"here"}' },
  ]);
  await client.waitForFrame("the message", ({ message }) => message?.["said"] === "here");
  const received = client.messages(sessionChannel(session.id));
  expect(received).not.toContainEqual({ said: "there" });
  client.close();
});
