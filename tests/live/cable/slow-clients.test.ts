import { describe, expect, test } from "bun:test";
import * as v from "valibot";
import { broadcast, userStream } from "#src/base/streams/broadcast.ts";
import { replacementKeyOf, withoutContent } from "#src/live/cable/backlog.ts";
import { SlowClients } from "#src/live/cable/slow-clients.ts";
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

describe("a slow client", () => {
  test("gets only the latest pool and balance, every other message, and every offset", () => {
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

  test("is given up when its backlog grows beyond a megabyte", () => {
    const slowClients = new SlowClients();
    const { reader, state, buffer } = openFakeReader(slowClients);
    slowClients.watch(reader);
    for (let number = 1; number <= 20; number += 1) buffer(filler);
    expect([slowClients.size, state.tooSlow]).toEqual([1, false]);
    buffer(filler);
    expect([slowClients.size, state.tooSlow]).toEqual([0, true]);
  });
});

// How much the kernel takes from a real socket, and when, differs from run to run. So these tests wait for states and count
// nothing that depends on it.
describe("a socket that stops reading", () => {
  test("gets every offset and the latest values once it reads again", async () => {
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

  test("is disconnected as too slow when too much waits for it", async () => {
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
});

test("the beginning of a message tells which older message it replaces", () => {
  const withOffset = (rest: string) => `{"epoch":"a.1","offset":12,${rest}`;
  expect(
    replacementKeyOf(withOffset('"sourceType":"Spot","eventType":"pool","detail":{"eventId":7,"pool":{}}}')),
  ).toContain('"eventId":7');
  expect(
    replacementKeyOf(withOffset('"sourceType":"Presence","eventType":"count","detail":{}}')),
  ).not.toBeNull();
  expect(
    replacementKeyOf(withOffset('"sourceType":"Event","eventType":"open_event","detail":{}}')),
  ).toBeNull();
  expect(withoutContent(withOffset('"sourceType":"Spot"}'))).toBe('{"epoch":"a.1","offset":12}');
});
