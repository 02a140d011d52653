import { expect, test } from "bun:test";
import { userStream } from "#src/base/streams/broadcast.ts";
import { RoundTrip } from "#src/live/cable/connection.ts";
import { slowestOf } from "#src/live/cable/loads.ts";
import { afterFile } from "#tests/support/after-file.ts";
import { testDeps } from "#tests/support/deps.ts";
import { waitFor } from "#tests/support/wait-for.ts";
import { buildSignedIn, type CableServer, startCableServer } from "./cable-server.ts";
import { userChannel } from "./client.ts";
import { handshake, OPCODE, RawSocket } from "./raw-socket.ts";

const deps = await testDeps();
const server = startCableServer(deps, { pingMs: 50, probeMs: 50, pongDeadlineMs: 400 });
const ana = await buildSignedIn(deps);
afterFile(() => server.stop());

async function welcomed(where = server): Promise<RawSocket> {
  const socket = new RawSocket(
    where.port,
    handshake(where.origin, { Cookie: ana.cookie, "Sec-WebSocket-Protocol": "actioncable-v1-json" }),
  );
  await socket.frame("the welcome", OPCODE.text);
  return socket;
}
const text = (value: unknown) => new TextEncoder().encode(JSON.stringify(value));

test("pings carry the Unix time in whole seconds, after the welcome", async () => {
  const beforeS = Math.floor(Date.now() / 1_000);
  const client = await server.connect(ana);
  await waitFor("three pings", () => client.ofType("ping").length >= 3);
  expect(client.frames[0]).toEqual({ type: "welcome" });
  for (const frame of client.ofType("ping")) {
    expect(Object.keys(frame)).toEqual(["type", "message"]);
    expect(Number.isInteger(frame.message)).toBe(true);
    expect(frame.message).toBeWithin(beforeS, Math.floor(Date.now() / 1_000) + 1);
  }
  client.close();
});

test.each<[string, (socket: RawSocket) => void, number]>([
  ["an unmasked frame", (socket) => socket.sendFrame(OPCODE.text, text({}), { masked: false }), 1_002],
  ["text that is no UTF-8", (socket) => socket.sendFrame(OPCODE.text, Buffer.from([0xc3, 0x28])), 1_007],
  ["a reserved opcode", (socket) => socket.sendFrame(0xb, text({})), 1_002],
  ["a reserved bit", (socket) => socket.sendFrame(OPCODE.text, text({}), { reserved: 0x40 }), 1_002],
  ["a frame that is too large", (socket) => socket.sendFrame(OPCODE.text, Buffer.alloc(65_537, "x")), 1_009],
])("RFC 6455: %s ends the connection with its code", async (_name, send, code) => {
  const socket = await welcomed();
  send(socket);
  const { payload } = await socket.frame("the close", OPCODE.close);
  expect(payload.readUInt16BE(0)).toBe(code);
  await waitFor("the end", () => socket.ended);
});

test("RFC 6455: a ping is answered with its payload, a close with its code", async () => {
  const socket = await welcomed();
  socket.sendFrame(OPCODE.ping, Buffer.from("are you there"));
  expect((await socket.frame("the pong", OPCODE.pong)).payload.toString()).toBe("are you there");
  socket.sendFrame(OPCODE.close, Buffer.from([0x03, 0xe8]));
  expect((await socket.frame("the close", OPCODE.close)).payload.readUInt16BE(0)).toBe(1_000);
  socket.destroy();
});

const listeners = async () => (await deps.redis.pubsub("NUMSUB", userStream(ana.user.id)))[1];
async function following(where: CableServer): Promise<RawSocket> {
  const socket = await welcomed(where);
  socket.sendFrame(OPCODE.text, text({ command: "subscribe", identifier: userChannel(ana.gid) }));
  await waitFor("the confirm", () => socket.texts().some((frame) => frame.includes("confirm_subscription")));
  expect(await listeners()).toBe(1);
  return socket;
}

test("a silent client is disconnected after the deadline, and its subscriptions end", async () => {
  const socket = await following(server);
  // A raw socket does not answer pings.
  await waitFor("the stream to be left", async () => (await listeners()) === 0);
  await waitFor("the end", () => socket.ended);
});

test("a silent client is disconnected also if it goes on sending", async () => {
  const socket = await following(server);
  const sending = setInterval(() => socket.sendFrame(OPCODE.text, text({ command: "pong" })), 50);
  await waitFor("the end", () => socket.ended);
  clearInterval(sending);
});

test("a silent client stays connected while it answers pings", async () => {
  // A deadline that a busy machine meets, and pings for longer than the deadline.
  const lenient = startCableServer(deps, { pingMs: 50, probeMs: 50, pongDeadlineMs: 2_000 });
  const client = await lenient.connect(ana);
  await waitFor("many pings", () => client.ofType("ping").length >= 60);
  expect(client.closed).toBeNull();
  client.close();
  await lenient.stop();
});

test("a round trip is the time from a ping to its answer", () => {
  const trip = new RoundTrip();
  expect(trip.latestMs(0)).toBeNull();
  trip.sent(1_000);
  trip.answered(1_040);
  expect(trip.latestMs(9_000)).toBe(40);
});

test("the slowest of many sockets counts; those that were not asked do not", () => {
  expect(slowestOf([null, 12, 40, null])).toBe(40);
  expect(slowestOf([null])).toBeNull();
});
