import { expect, test } from "bun:test";
import { type Cable, type Channel, createCable, type Message } from "@anycable/core";
import * as v from "valibot";
import { broadcast, sessionStream, userStream } from "#src/base/streams/broadcast.ts";
import { afterFile, afterTest } from "#tests/support/after-file.ts";
import { untilPasses, waitFor } from "#tests/support/wait-for.ts";
import { testWorld } from "#tests/support/world.ts";
import { browserSocket } from "./browser-socket.ts";
import { buildSignedIn, type SignedIn, startCableServer } from "./cable-server.ts";
const cables: Cable[] = [];
const sockets: WebSocket[] = [];

// AnyCable's client package, unchanged, with its extended protocol.
const { deps, build } = await testWorld();
const server = startCableServer(deps, { pingMs: 100 });
const ana = await buildSignedIn(deps);
const session = await build.session();
afterFile(() => server.stop());

afterTest(() => {
  for (const cable of cables.splice(0)) cable.disconnect();
});

/** A client that sends the headers of a browser. Its sockets can be cut by the tests. */
function open(who: SignedIn, made: WebSocket[] = sockets): Cable {
  const implementation = new Proxy(
    browserSocket(() => ({ cookie: who.cookie, origin: server.origin })),
    {
      construct(target, [url, protocols]: [string, string[]]) {
        const socket = new target(url, protocols);
        made.push(socket);
        return socket;
      },
    },
  );
  const cable = createCable(server.url, {
    protocol: "actioncable-v1-ext-json",
    protocolOptions: { pongs: true },
    websocketImplementation: implementation,
    pingInterval: 100,
    maxMissingPings: 50,
    logLevel: "error",
  });
  cables.push(cable);
  return cable;
}

const numbered = v.object({ number: v.number() });
function listenTo(channel: Channel): { numbers: number[]; offsets: unknown[]; states: string[] } {
  const received = { numbers: [] as number[], offsets: [] as unknown[], states: [] as string[] };
  channel.on("message", (message: Message, meta) => {
    const parsed = v.safeParse(numbered, message);
    if (!parsed.success) return;
    received.numbers.push(parsed.output.number);
    received.offsets.push(meta);
  });
  channel.on("connect", ({ restored }) => received.states.push(restored === true ? "restored" : "connected"));
  channel.on("info", ({ type }) => received.states.push(type));
  return received;
}
const say = (stream: string, ...numbers: number[]) =>
  broadcast(
    deps.redis,
    numbers.map((number) => ({ stream, text: JSON.stringify({ number }) })),
  );
/** How many connections are present in a session. */
const connectionsIn = (sessionId: number) => deps.redis.hlen(`${sessionStream(sessionId)}:present`);
/** Ends the newest socket as a lost network does, without a disconnect frame. */
const cut = () => sockets.at(-1)?.close(4_000);

test("it connects, subscribes, is rejected for foreign channels, and gets each message's offset", async () => {
  const cable = open(ana);
  const channel = cable.subscribeTo("UserChannel", { id: ana.gid });
  const received = listenTo(channel);
  await channel.ensureSubscribed();
  const foreign = cable.subscribeTo("UserChannel", { id: "gid://called-it/User/0" });
  await foreign.ensureSubscribed().then(
    () => expect.unreachable("it was not rejected"),
    (error: Error) => expect(error.name).toBe("SubscriptionRejectedError"),
  );
  await say(userStream(ana.user.id), 1, 2, 3);
  await untilPasses(() => expect(received.numbers).toEqual([1, 2, 3]));
  const epoch = expect.stringMatching(/^\w+\.\d+$/);
  expect(received.offsets).toEqual(
    [1, 2, 3].map((offset) => ({ stream: userStream(ana.user.id), epoch, offset })),
  );
  void channel.perform("dance", {});
  await say(userStream(ana.user.id), 4);
  await waitFor("the message after the unknown action", () => received.numbers.length === 4);
});

test("a connection that is lost is resumed with its subscriptions, and missed messages arrive once and in order", async () => {
  const cable = open(await buildSignedIn(deps));
  const channel = cable.subscribeTo("SessionsChannel", { id: session.slug });
  const received = listenTo(channel);
  await channel.ensureSubscribed();
  await say(sessionStream(session.id), 1, 2);
  await waitFor("the first", () => received.numbers.length === 2);
  for (let round = 1; round <= 3; round += 1) {
    cut();
    await say(sessionStream(session.id), round * 10, round * 10 + 1);
    await waitFor("the missed", () => received.numbers.includes(round * 10 + 1));
    await say(sessionStream(session.id), round * 10 + 2);
    await waitFor("the next", () => received.numbers.includes(round * 10 + 2));
  }
  expect(received.numbers).toEqual([1, 2, 10, 11, 12, 20, 21, 22, 30, 31, 32]);
  expect(received.states).toContain("restored");
  expect(received.states).toContain("history_received");
  expect(received.states).not.toContain("history_not_found");
});

test("a connection that is lost cannot be resumed by another player who knows its sid", async () => {
  const hers = open(ana);
  await hers.subscribeTo("UserChannel", { id: ana.gid }).ensureSubscribed();
  const ben = await buildSignedIn(deps);
  const hisSockets: WebSocket[] = [];
  const his = open(ben, hisSockets);
  his.setSessionId(hers.sessionId ?? "");
  const received = listenTo(his.subscribeTo("UserChannel", { id: ben.gid }));
  await untilPasses(() => expect(received.states).toContain("connected"));
  const toHim: unknown[] = [];
  hisSockets.at(-1)?.addEventListener("message", ({ data }) => toHim.push(data));
  await say(userStream(ana.user.id), 99);
  await say(userStream(ben.user.id), 1);
  await untilPasses(() => expect(received.numbers).toEqual([1]));
  expect(received.states).not.toContain("restored");
  expect(toHim.filter((data) => String(data).includes('"number":99'))).toEqual([]);
});

test("presence names who joins, leaves and is present, by the sign-in and not by what a client sends", async () => {
  const { id } = await build.session();
  const ben = await buildSignedIn(deps);
  const watching = open(ana).subscribeTo("SessionsChannel", { id });
  await watching.ensureSubscribed();
  const events: unknown[] = [];
  watching.on("presence", (event) => events.push(event));
  expect(await watching.presence.info()).toEqual({});
  const his = open(ben);
  const channel = his.subscribeTo("SessionsChannel", { id });
  await channel.ensureSubscribed();
  await channel.presence.join("another player", { username: "admin" });
  const info = { username: ben.user.username };
  await untilPasses(() => expect(events.at(-1)).toEqual({ type: "join", id: ben.gid, info }));
  expect(await watching.presence.info()).toEqual({ [ben.gid]: info });
  his.disconnect();
  await untilPasses(() => expect(events.at(-1)).toEqual({ type: "leave", id: ben.gid }));
  expect(await watching.presence.info()).toEqual({});
});

test("presence lasts until a player's last connection ends, and returns with a resumed connection", async () => {
  const { id } = await build.session();
  const watching = open(ana).subscribeTo("SessionsChannel", { id });
  await watching.ensureSubscribed();
  const events: unknown[] = [];
  watching.on("presence", ({ type }) => events.push(type));
  const ben = await buildSignedIn(deps);
  const [phone, laptop] = [open(ben), open(ben)];
  for (const cable of [phone, laptop]) {
    const channel = cable.subscribeTo("SessionsChannel", { id });
    await channel.ensureSubscribed();
    await channel.presence.join("ben", {});
  }
  await waitFor("both to join", async () => (await connectionsIn(id)) === 2);
  await waitFor("the join", () => events.length === 1);
  phone.disconnect();
  // Otherwise the phone could still be present when the laptop returns, and nothing would change.
  await waitFor("the phone to leave", async () => (await connectionsIn(id)) === 1);
  cut();
  await untilPasses(() => expect(events).toEqual(["join", "leave", "join"]));
});
