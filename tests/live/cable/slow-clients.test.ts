import { expect, test } from "bun:test";
import * as v from "valibot";
import { broadcast, userStream } from "#src/base/streams/broadcast.ts";
import { CrowdBuffer } from "#src/live/cable/fanout.ts";
import { type Delivery, SlowClients } from "#src/live/cable/slow-clients.ts";
import { afterFile } from "#tests/support/after-file.ts";
import { testDeps } from "#tests/support/deps.ts";
import { waitFor } from "#tests/support/wait-for.ts";
import { buildSignedIn, type SignedIn, startCableServer } from "./cable-server.ts";
import { userChannel } from "./client.ts";
import { handshake, OPCODE, RawSocket } from "./raw-socket.ts";

let ana: SignedIn;

const deps = await testDeps();
const server = startCableServer(deps, { watchMs: 5 });
afterFile(() => server.stop());

/** A socket that follows a player's own channel and has stopped reading. The server has noticed it. */
async function openSlowSocket(): Promise<RawSocket> {
  ana = await buildSignedIn(deps);
  const socket = new RawSocket(server.port, handshake(server.origin, { Cookie: ana.cookie }));
  await socket.frame("the welcome", OPCODE.text);
  const subscribe = { command: "subscribe", identifier: userChannel(ana.gid) };
  socket.sendFrame(OPCODE.text, new TextEncoder().encode(JSON.stringify(subscribe)));
  await waitFor("the confirm", () => socket.texts().some((text) => text.includes("confirm_subscription")));
  socket.pause();
  await waitFor("the server to notice", async () => {
    await say(filler);
    return server.hub.load.slow === 1;
  });
  return socket;
}
const filler = { sourceType: "Filler", eventType: "long", detail: "x".repeat(50_000) };
const say = (...messages: object[]) =>
  broadcast(
    deps.redis,
    messages.map((message) => ({ stream: userStream(ana.user.id), text: JSON.stringify(message) })),
  );
const pool = (eventId: number, total: number) => ({
  sourceType: "Spot",
  eventType: "pool",
  detail: { eventId, total },
});
const balance = (balanceCents: number) => ({
  sourceType: "Wallet",
  eventType: "balance_change",
  detail: { balanceCents },
});
const other = (number: number) => ({ sourceType: "Call", eventType: "close_call", detail: { number } });

const transmission = v.object({
  message: v.looseObject({
    offset: v.number(),
    eventType: v.optional(v.string()),
    detail: v.optional(v.unknown()),
  }),
});
const messagesIn = (socket: RawSocket) =>
  socket.texts().flatMap((text) => {
    const parsed = v.safeParse(transmission, JSON.parse(text));
    return parsed.success ? [parsed.output.message] : [];
  });

/** A slow client without a network: what waits in its socket is a number. */
function openFakeReader(slowClients: SlowClients) {
  const sent: unknown[] = [];
  const state = { bufferedBytes: 100_000, joined: true, tooSlow: false };
  const reader = {
    socket: {
      sendText: (text: string) => sent.push(JSON.parse(text)),
      subscribe: () => (state.joined = true),
      unsubscribe: () => !(state.joined = false),
      getBufferedAmount: () => state.bufferedBytes,
    },
    topics: () => ["topic"],
    tooSlow: () => void (state.tooSlow = true),
  };
  let offset = 0;
  const buffer = (message: object) => {
    offset += 1;
    const text = JSON.stringify({ epoch: "a.1", offset, ...message });
    slowClients.buffer({
      topic: "topic",
      stream: "stream",
      protocol: "plain",
      identifier: "channel",
      message: { epoch: "a.1", offset, text },
    });
  };
  const messages = () => sent.map((frame) => v.parse(transmission, frame).message);
  return { reader, state, buffer, messages };
}

test("a slow client gets only the latest pool and balance, every other message, and every offset", () => {
  const slowClients = new SlowClients();
  const { reader, state, buffer, messages } = openFakeReader(slowClients);
  slowClients.watch(reader);
  expect([slowClients.size, state.joined]).toEqual([1, false]);
  for (let number = 1; number <= 40; number += 1)
    for (const message of [pool(1, number), pool(2, -number), balance(number), other(number)])
      buffer(message);
  slowClients.drained(reader);
  expect(messages()).toEqual([]);

  state.bufferedBytes = 0;
  slowClients.drained(reader);
  expect([slowClients.size, state.joined]).toEqual([0, true]);
  expect(messages().map(({ offset }) => offset)).toEqual(Array.from({ length: 160 }, (_, i) => i + 1));
  const detailsOf = (name: string) =>
    messages().flatMap(({ eventType, detail }) => (eventType === name ? [detail] : []));
  expect(detailsOf("close_call")).toHaveLength(40);
  expect(detailsOf("pool")).toEqual([
    { eventId: 1, total: 40 },
    { eventId: 2, total: -40 },
  ]);
  expect(detailsOf("balance_change")).toEqual([{ balanceCents: 40 }]);
});

// How much the kernel takes from a real socket, and when, differs from run to run. So these tests wait for states and count
// nothing that depends on it.
test("a socket that stops reading gets every offset and the latest values once it reads again", async () => {
  const socket = await openSlowSocket();
  for (let number = 1; number <= 40; number += 1)
    await say(pool(1, number), pool(2, -number), balance(number), other(number));
  socket.resume();
  await waitFor("everything", () =>
    messagesIn(socket).some(({ detail }) => Bun.deepEquals(detail, { number: 40 })),
  );
  const messages = messagesIn(socket);
  const offsets = messages.map(({ offset }) => offset);
  expect(offsets).toEqual(Array.from({ length: offsets.length }, (_, index) => index + 1));
  const detailsOf = (name: string) =>
    messages.flatMap(({ eventType, detail }) => (eventType === name ? [detail] : []));
  expect(detailsOf("close_call")).toHaveLength(40);
  expect(detailsOf("pool").slice(-2)).toEqual([
    { eventId: 1, total: 40 },
    { eventId: 2, total: -40 },
  ]);
  expect(detailsOf("balance_change").at(-1)).toEqual({ balanceCents: 40 });
  await waitFor("it to be quick again", () => server.hub.load.slow === 0);
  await say(pool(1, 41));
  await waitFor("the next pool", () =>
    messagesIn(socket).some(({ detail }) => Bun.deepEquals(detail, { eventId: 1, total: 41 })),
  );
  socket.destroy();
  await waitFor("its end", () => server.hub.load.sockets === 0);
});

test("a socket that stops reading is disconnected as too slow when too much waits for it", async () => {
  const socket = await openSlowSocket();
  await waitFor("the server to give up", async () => {
    await say(filler);
    return server.hub.load.sockets === 0;
  });
  socket.resume();
  await socket.frame("the close", OPCODE.close);
  expect(socket.texts().at(-1)).toBe('{"type":"disconnect","reason":"too_slow","reconnect":true}');
  await waitFor("its stream to be left", async () => {
    return (await deps.redis.pubsub("NUMSUB", userStream(ana.user.id)))[1] === 0;
  });
});

type Said = { eventType?: string; said?: string; size?: number };

/**
 * The messages that have passed, each as its topic, its offset and what it says.
 * @param about passMs: how long a message takes to pass. passed: where they are noted.
 */
function openBuffer({ passMs = 0, passed = [] }: { passMs?: number; passed?: string[] } = {}) {
  let nowMs = 0;
  const pass = ({ topic, message }: Delivery) => {
    const [, said = ""] = /"said":"([^"]*)"/.exec(message.text) ?? [];
    passed.push(`${topic} ${message.offset} ${said}`.trim());
    nowMs += passMs;
  };
  const buffer = new CrowdBuffer(pass, { nowMs: () => nowMs });
  let offset = 0;
  const push = (topic: string, sourceType: string, { eventType = "", said = "", size = 500 }: Said = {}) => {
    offset += 1;
    const detail = sourceType === "Spot" ? { eventId: 1, said } : { said };
    const text = JSON.stringify({ epoch: "a.1", offset, sourceType, eventType, detail });
    const message = { epoch: "a.1", offset, text };
    const delivery = { topic, stream: topic, protocol: "plain", identifier: topic, message } as const;
    buffer.push(delivery, { size, audience: size });
  };
  return { buffer, push, passed };
}

const poolSaying = (said: string): Said => ({ eventType: "pool", said });
const line = (said: string): Said => ({ eventType: "create", said });
/** Waits for so many messages. On a busy machine more may have passed by then. @returns the first ones. */
async function untilPassed(passed: readonly string[], count: number): Promise<readonly string[]> {
  await waitFor(`${count} messages to pass`, () => passed.length >= count);
  return passed.slice(0, count);
}

test("in a crowd pools, counts and the chat wait for each other, and pass together in their order", async () => {
  const { push, passed } = openBuffer();
  push("session", "Spot", poolSaying("pool"));
  push("chat", "Message", line("hello"));
  push("session", "Reaction", { eventType: "count", said: "fire" });
  expect(passed).toEqual([]);
  expect(await untilPassed(passed, 3)).toEqual(["session 1 pool", "session 3 fire", "chat 2 hello"]);
});

test("in a crowd, of two pools of an event the older one is its offset alone", () => {
  const { buffer, push, passed } = openBuffer();
  push("session", "Spot", poolSaying("old"));
  push("session", "Message", line("hello"));
  push("session", "Message", line("again"));
  push("session", "Spot", poolSaying("new"));
  buffer.flush();
  expect(passed).toEqual(["session 1", "session 2 hello", "session 3 again", "session 4 new"]);
});

test("in a crowd: an opening, a close and a result pass at once, after what waits in their topic, and nothing else does", async () => {
  const { push, passed } = openBuffer();
  push("session", "Spot", { ...poolSaying("pool"), size: 20_000 });
  push("chat", "Message", { ...line("hello"), size: 20_000 });
  for (const eventType of ["open_event", "close_event", "resolve"])
    push("session", "Event", { eventType, said: eventType, size: 20_000 });
  expect(await untilPassed(passed, 4)).toEqual([
    "session 1 pool",
    "session 3 open_event",
    "session 4 close_event",
    "session 5 resolve",
  ]);
});

test("in a crowd, that all are paid, and what else is new about the session, waits too", async () => {
  const { push, passed } = openBuffer();
  push("session", "Event", { eventType: "pay", said: "pay" });
  push("session", "Session", { eventType: "update", said: "update" });
  push("other", "Session", { eventType: "pause", said: "pause" });
  expect(await untilPassed(passed, 3)).toEqual(["other 3 pause", "session 1 pay", "session 2 update"]);
});

test("in a crowd: a turn of the event loop takes a part of the sockets, so that other work is done in between", async () => {
  const { push, passed } = openBuffer();
  const topics = ["first", "second", "third"];
  for (const topic of topics) push(topic, "Event", { eventType: "open_event", size: 900 });
  const seen: number[] = [];
  while (passed.length < topics.length) {
    await new Promise((resolve) => setImmediate(resolve));
    seen.push(passed.length);
  }
  expect(seen).toEqual([1, 2, 3]);
});

test("where messages take long to pass, what can wait waits for longer, and an opening passes at once with it", async () => {
  const passed: string[] = [];
  const slow = openBuffer({ passMs: 60_000, passed });
  const quick = openBuffer({ passed });
  slow.push("slow", "Spot", poolSaying("first"));
  await untilPassed(passed, 1);
  slow.push("slow", "Spot", poolSaying("second"));
  quick.push("quick", "Spot", poolSaying("other"));
  await untilPassed(passed, 2);
  slow.push("slow", "Event", { eventType: "open_event", said: "open" });
  expect(await untilPassed(passed, 4)).toEqual([
    "slow 1 first",
    "quick 1 other",
    "slow 2 second",
    "slow 3 open",
  ]);
});
