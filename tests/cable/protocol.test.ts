import { describe, expect, test } from "bun:test";
import { forUser } from "#src/relay/address-message.ts";
import { type Broadcast, broadcast, userStream } from "#src/streams/broadcast.ts";
import { afterFile } from "#tests/support/after-file.ts";
import { testDeps } from "#tests/support/deps.ts";
import { waitFor } from "#tests/support/wait-for.ts";
import { Client, userChannel } from "./client.ts";
import { buildSignedIn, startStage } from "./stage.ts";

/** A hundred commands alone take five seconds. */
const SLOW_MS = 20_000;

const deps = await testDeps();
const stage = startStage(deps);
const ana = await buildSignedIn(deps);
const channel = userChannel(ana.gid);
afterFile(() => stage.stop());

const connect = () => new Client(stage.url, { origin: stage.origin, cookie: ana.cookie }).welcomed();
const numbered = (number: number): Broadcast => ({
  stream: userStream(ana.user.id),
  text: JSON.stringify({ number }),
});
const numbers = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => ({ number: from + index }));
/** A round trip: whatever was sent before has been handled. */
async function settle(client: Client): Promise<void> {
  const identifier = JSON.stringify({ channel: "NoSuchChannel", at: crypto.randomUUID() });
  client.send({ command: "subscribe", identifier });
  await client.heard("the reject", (frame) => frame.identifier === identifier);
}

test("the first frame is the welcome, also for commands that were sent at once", async () => {
  const client = new Client(stage.url, { origin: stage.origin, cookie: ana.cookie });
  client.socket.addEventListener("open", () => client.send({ command: "subscribe", identifier: channel }));
  await client.heard("the confirm", ({ type }) => type === "confirm_subscription");
  expect(client.frames).toEqual([{ type: "welcome" }, { type: "confirm_subscription", identifier: channel }]);
  client.close();
});

test("a subscription is confirmed and its messages come in order, each as it was published", async () => {
  const client = await connect();
  await client.follow(channel);
  for (let number = 1; number <= 200; number += 1) await broadcast(deps.redis, [numbered(number)]);
  await waitFor("the messages", () => client.messages(channel).length >= 200);
  expect(client.messages(channel)).toEqual(numbers(1, 200));
  client.close();
});

test("nothing that is published after the confirm is missed, however soon", async () => {
  for (let round = 1; round <= 20; round += 1) {
    const client = await connect();
    await client.follow(channel);
    await broadcast(deps.redis, [numbered(round)]);
    await client.heard("the message", (frame) => frame.message !== undefined);
    expect(client.messages(channel)).toEqual([{ number: round }]);
    client.close();
    await client.gone();
  }
});

test("the identifier comes back as it was spelled, and each spelling is a subscription of its own", async () => {
  const client = await connect();
  const spellings = [
    channel,
    ` {"id" : "${ana.gid}","channel":"UserChannel"}`,
    `{"channel":"UserChannel","id":"${ana.gid.replace("User", "\\u0055ser")}","more":"ünï ✓ \\"x\\""}`,
  ];
  for (const identifier of spellings) await client.follow(identifier);
  await broadcast(deps.redis, [numbered(1)]);
  await waitFor("all three", () => spellings.every((spelling) => client.messages(spelling).length > 0));
  expect(client.frames.slice(1, 4).map(({ identifier }) => identifier)).toEqual(spellings);
  client.close();
});

describe("subscribing twice", () => {
  test("is not answered and delivers nothing twice", async () => {
    const client = await connect();
    await client.follow(channel);
    client.send({ command: "subscribe", identifier: channel });
    await settle(client);
    await broadcast(deps.redis, [numbered(1)]);
    await client.heard("the message", (frame) => frame.message !== undefined);
    await settle(client);
    expect(client.ofType("confirm_subscription")).toHaveLength(1);
    expect(client.messages(channel)).toEqual([{ number: 1 }]);
    client.close();
  });

  test("is confirmed again for a client that asks two seconds later: it has lost the first", async () => {
    const client = await connect();
    await client.follow(channel);
    await Bun.sleep(2_050);
    client.send({ command: "subscribe", identifier: channel });
    await waitFor("the second confirm", () => client.ofType("confirm_subscription").length === 2);
    client.close();
  });
});

describe("unsubscribing", () => {
  test("is not answered, and nothing more comes", async () => {
    const client = await connect();
    await client.follow(channel);
    client.send({ command: "unsubscribe", identifier: channel });
    await settle(client);
    await broadcast(deps.redis, [numbered(1)]);
    await settle(client);
    expect(client.frames.map(({ type }) => type)).toEqual([
      "welcome",
      "confirm_subscription",
      "reject_subscription",
      "reject_subscription",
    ]);
    await client.follow(channel);
    client.close();
  });

  test("from what was never subscribed is ignored", async () => {
    const client = await connect();
    client.send({ command: "unsubscribe", identifier: channel });
    await settle(client);
    expect(client.frames.map(({ type }) => type)).toEqual(["welcome", "reject_subscription"]);
    client.close();
  });

  test("by everybody leaves the stream in Redis too", async () => {
    const ben = await buildSignedIn(deps);
    const client = await new Client(stage.url, { origin: stage.origin, cookie: ben.cookie }).welcomed();
    const subscribers = async () => (await deps.redis.pubsub("NUMSUB", userStream(ben.user.id)))[1];
    await client.follow(userChannel(ben.gid));
    expect(await subscribers()).toBe(1);
    client.close();
    await waitFor("the stream to be left", async () => (await subscribers()) === 0);
  });
});

describe("what is not understood is ignored, and the connection stays:", () => {
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
  ])("%s", async (_name, sent) => {
    const client = await connect();
    client.socket.send(sent);
    await settle(client);
    expect(client.frames.map(({ type }) => type)).toEqual(["welcome", "reject_subscription"]);
    await client.follow(channel);
    client.close();
  });
});

describe("limits", () => {
  test("a frame of more than 64 KiB closes the socket", async () => {
    const client = await connect();
    client.send(JSON.stringify({ command: "message", identifier: channel, data: "x".repeat(65_536) }));
    expect(await client.gone()).toBe(1_009);
  });

  test("commands beyond 20 a second wait, and keep their order", async () => {
    const client = await connect();
    const startMs = performance.now();
    const identifiers = Array.from({ length: 30 }, (_, index) => `${" ".repeat(index)}${channel}`);
    for (const identifier of identifiers) client.send({ command: "subscribe", identifier });
    await waitFor("the confirms", () => client.ofType("confirm_subscription").length === 30);
    expect(performance.now() - startMs).toBeGreaterThan(900);
    expect(client.ofType("confirm_subscription").map(({ identifier }) => identifier)).toEqual(identifiers);
    client.close();
  });

  test(
    "the 101st subscription is rejected, until another is given up",
    async () => {
      const client = await connect();
      const identifiers = Array.from({ length: 101 }, (_, index) => `${" ".repeat(index)}${channel}`);
      for (const identifier of identifiers) client.send({ command: "subscribe", identifier });
      await waitFor("all answers", () => client.frames.filter(({ identifier }) => identifier).length === 101);
      expect(client.ofType("confirm_subscription")).toHaveLength(100);
      expect(client.ofType("reject_subscription").map(({ identifier }) => identifier)).toEqual(
        identifiers.slice(100),
      );
      client.send({ command: "unsubscribe", identifier: channel });
      await client.follow(identifiers[100] ?? "");
      client.close();
    },
    SLOW_MS,
  );
});

test("a message of the contract arrives as it is", async () => {
  const client = await connect();
  await client.follow(channel);
  const wallet = { ...emptyWallet, id: 1 };
  const message = {
    sourceType: "Wallet",
    eventType: "balance_change",
    detail: { wallet, version: 1, serverTime: "2026-11-21T08:00:00.000Z" },
  } as const;
  await broadcast(deps.redis, [forUser(ana.user.id, message)]);
  await client.heard("the message", (frame) => frame.message !== undefined);
  expect(client.messages(channel)).toEqual([message]);
  client.close();
});

const emptyWallet = {
  balance: 0,
  balanceCents: 0,
  availableBalance: 0,
  availableBalanceCents: 0,
  held: 0,
  heldCents: 0,
  owed: 0,
  owedCents: 0,
  version: 1,
  metrics: {
    wagered: 0,
    returned: 0,
    net: 0,
    roi: null,
    pending: 0,
    callsPlaced: 0,
    won: 0,
    lost: 0,
    refunded: 0,
    winRate: null,
    currentStreak: 0,
    bestStreak: 0,
  },
};
