import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { buildDeps, type TestDeps } from "#tests/support/deps.ts";
import { waitFor } from "#tests/support/wait-for.ts";
import { Client, userChannel } from "./client.ts";
import { handshake, OPCODE, RawSocket } from "./raw-socket.ts";
import { buildSignedIn, type SignedIn, type Stage, startStage } from "./stage.ts";

let deps: TestDeps;
let stage: Stage;
let ana: SignedIn;
beforeAll(async () => {
  deps = await buildDeps();
  stage = startStage(deps, { pingMs: 50, probeMs: 50, pongDeadlineMs: 400 });
  ana = await buildSignedIn(deps);
});
afterAll(async () => {
  await stage.stop();
  await deps.close();
});

async function welcomed(): Promise<RawSocket> {
  const socket = new RawSocket(
    stage.port,
    handshake(stage.origin, { Cookie: ana.cookie, "Sec-WebSocket-Protocol": "actioncable-v1-json" }),
  );
  await socket.frame("the welcome", OPCODE.text);
  return socket;
}
const text = (value: unknown) => new TextEncoder().encode(JSON.stringify(value));

test("pings carry the Unix time in whole seconds, after the welcome", async () => {
  const client = await new Client(stage.url, { origin: stage.origin, cookie: ana.cookie }).welcomed();
  await waitFor("three pings", () => client.ofType("ping").length >= 3);
  expect(client.frames[0]).toEqual({ type: "welcome" });
  for (const frame of client.ofType("ping")) {
    expect(Object.keys(frame)).toEqual(["type", "message"]);
    expect(Number.isInteger(frame.message)).toBe(true);
    expect(Math.abs(Number(frame.message) - Date.now() / 1_000)).toBeLessThan(3);
  }
  client.close();
});

describe("RFC 6455:", () => {
  test.each<[string, (socket: RawSocket) => void]>([
    ["an unmasked frame", (socket) => socket.sendFrame(OPCODE.text, text({}), { masked: false })],
    ["text that is no UTF-8", (socket) => socket.sendFrame(OPCODE.text, Buffer.from([0xc3, 0x28]))],
    ["a reserved opcode", (socket) => socket.sendFrame(0xb, text({}))],
    ["a reserved bit", (socket) => socket.sendFrame(OPCODE.text, text({}), { reserved: 0x40 })],
    ["a frame that is too large", (socket) => socket.sendFrame(OPCODE.text, Buffer.alloc(65_537, "x"))],
  ])("%s ends the connection", async (_name, send) => {
    const socket = await welcomed();
    send(socket);
    await waitFor(
      "the end",
      () => socket.ended || socket.frames.some(({ opcode }) => opcode === OPCODE.close),
    );
    socket.destroy();
  });

  test("a ping is answered with its payload, a close with its code", async () => {
    const socket = await welcomed();
    socket.sendFrame(OPCODE.ping, Buffer.from("are you there"));
    expect((await socket.frame("the pong", OPCODE.pong)).payload.toString()).toBe("are you there");
    socket.sendFrame(OPCODE.close, Buffer.from([0x03, 0xe8]));
    expect((await socket.frame("the close", OPCODE.close)).payload.readUInt16BE(0)).toBe(1_000);
    socket.destroy();
  });
});

describe("a peer that went silent", () => {
  test("is given up after the deadline, and its subscriptions with it", async () => {
    const socket = await welcomed();
    socket.sendFrame(OPCODE.text, text({ command: "subscribe", identifier: userChannel(ana.gid) }));
    await waitFor("the confirm", () =>
      socket.texts().some((frame) => frame.includes("confirm_subscription")),
    );
    const subscribers = async () => (await deps.redis.pubsub("NUMSUB", `cable:user:${ana.user.id}`))[1];
    expect(await subscribers()).toBe(1);
    // It answers no ping: a raw socket does only what it is told to.
    await waitFor("the stream to be left", async () => (await subscribers()) === 0);
    await waitFor("the end", () => socket.ended);
  });

  test("is kept while it answers pings", async () => {
    const client = await new Client(stage.url, { origin: stage.origin, cookie: ana.cookie }).welcomed();
    await waitFor("many pings", () => client.ofType("ping").length >= 20);
    expect(client.closed).toBeNull();
    client.close();
  });
});
