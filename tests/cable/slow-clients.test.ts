import { describe, expect, test } from "bun:test";
import * as v from "valibot";
import { offsetOnly, replacementKey } from "#src/cable/backlog.ts";
import { broadcast, userStream } from "#src/streams/broadcast.ts";
import { afterFile } from "#tests/support/after-file.ts";
import { testDeps } from "#tests/support/deps.ts";
import { waitFor } from "#tests/support/wait-for.ts";
import { userChannel } from "./client.ts";
import { handshake, OPCODE, RawSocket } from "./raw-socket.ts";
import { buildSignedIn, type SignedIn, startStage } from "./stage.ts";
let ana: SignedIn;

const deps = await testDeps();
const stage = startStage(deps, { watchMs: 5 });
afterFile(() => stage.stop());

/** A player's socket that follows the own channel and has stopped reading, so far that the server has noticed. */
async function frozen(): Promise<RawSocket> {
  ana = await buildSignedIn(deps);
  const socket = new RawSocket(stage.port, handshake(stage.origin, { Cookie: ana.cookie }));
  await socket.frame("the welcome", OPCODE.text);
  const subscribe = { command: "subscribe", identifier: userChannel(ana.gid) };
  socket.sendFrame(OPCODE.text, new TextEncoder().encode(JSON.stringify(subscribe)));
  await waitFor("the confirm", () => socket.texts().some((text) => text.includes("confirm_subscription")));
  socket.freeze();
  await waitFor("the server to notice", async () => {
    await say({ sourceType: "Filler", eventType: "long", detail: "x".repeat(50_000) });
    return stage.hub.load.slow === 1;
  });
  return socket;
}
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

const heard = v.object({
  message: v.looseObject({
    offset: v.number(),
    eventType: v.optional(v.string()),
    detail: v.optional(v.unknown()),
  }),
});
const messagesIn = (socket: RawSocket) =>
  socket.texts().flatMap((text) => {
    const parsed = v.safeParse(heard, JSON.parse(text));
    return parsed.success ? [parsed.output.message] : [];
  });

describe("for a peer that reads slowly", () => {
  test("the latest pool and balance take the place of older ones; all else waits, and no place is left out", async () => {
    const socket = await frozen();
    for (let number = 1; number <= 40; number += 1)
      await say(pool(1, number), pool(2, -number), balance(number), other(number));
    await waitFor("the ear", () => stage.hub.load.slow === 1);
    socket.thaw();
    await waitFor("everything", () =>
      messagesIn(socket).some(({ detail }) => Bun.deepEquals(detail, { number: 40 })),
    );
    const messages = messagesIn(socket);
    const offsets = messages.map(({ offset }) => offset);
    expect(offsets).toEqual(Array.from({ length: offsets.length }, (_, index) => index + 1));
    const told = (name: string) => messages.filter(({ eventType }) => eventType === name);
    expect(told("close_call")).toHaveLength(40);
    expect(told("pool").map(({ detail }) => detail)).toEqual([
      { eventId: 1, total: 40 },
      { eventId: 2, total: -40 },
    ]);
    expect(told("balance_change").map(({ detail }) => detail)).toEqual([{ balanceCents: 40 }]);
    await waitFor("it to be quick again", () => stage.hub.load.slow === 0);
    await say(pool(1, 41));
    await waitFor("the next pool", () =>
      messagesIn(socket).some(({ detail }) => Bun.deepEquals(detail, { eventId: 1, total: 41 })),
    );
    socket.destroy();
  });

  test("a megabyte waits, and no more: it is told to come back", async () => {
    const socket = await frozen();
    for (let number = 1; number <= 30; number += 1)
      await say({ sourceType: "Filler", eventType: "long", detail: "y".repeat(50_000) });
    await waitFor("it to be given up", () => stage.hub.load.slow === 0);
    socket.thaw();
    await socket.frame("the close", OPCODE.close);
    expect(socket.texts().at(-1)).toBe('{"type":"disconnect","reason":"too_slow","reconnect":true}');
    await waitFor("its stream to be left", async () => {
      return (await deps.redis.pubsub("NUMSUB", userStream(ana.user.id)))[1] === 0;
    });
  });
});

test("what is the latest of what is read from how a message begins", () => {
  const placed = (rest: string) => `{"epoch":"a.1","offset":12,${rest}`;
  expect(
    replacementKey(placed('"sourceType":"Spot","eventType":"pool","detail":{"eventId":7,"pool":{}}}')),
  ).toContain('"eventId":7');
  expect(replacementKey(placed('"sourceType":"Presence","eventType":"count","detail":{}}'))).not.toBeNull();
  expect(replacementKey(placed('"sourceType":"Event","eventType":"open_event","detail":{}}'))).toBeNull();
  expect(offsetOnly(placed('"sourceType":"Spot"}'))).toBe('{"epoch":"a.1","offset":12}');
});
