import { expect, test } from "bun:test";
import { broadcast, sessionStream } from "#src/base/streams/broadcast.ts";
import { gidOf } from "#src/people/sign-ins/viewer.ts";
import { revokeDock } from "#src/show/docks/manage-docks.ts";
import { buildToken } from "#tests/people/access-tokens/build-token.ts";
import { afterTest } from "#tests/support/after-file.ts";
import { testWorld } from "#tests/support/world.ts";
import { type CableServer, startCableServer } from "./cable-server.ts";
import { Client, sessionChannel, userChannel } from "./client.ts";

const { deps, build, unchanged, timer } = await testWorld();
const maker = await build.admin();
const servers: CableServer[] = [];

afterTest(async () => {
  for (const server of servers.splice(0)) await server.stop();
});

function open(intervals = {}): CableServer {
  const server = startCableServer(deps, intervals);
  servers.push(server);
  return server;
}

/** A socket by a secret, which the page names as a protocol that it offers. */
const connect = ({ url, origin }: CableServer, secret: string) =>
  new Client(url, { origin, protocols: ["actioncable-v1-json", secret] });

async function buildDock() {
  const session = await build.runningSession({ settings: { private: true } });
  const token = await buildToken(deps, { userId: maker.id, scope: "dock", sessionId: session.id });
  return { session, ...token };
}

test("a dock hears its session and nothing else, and takes no part in it", async () => {
  const { session, secret } = await buildDock();
  const other = await build.runningSession();
  const dock = await connect(open(), secret).welcomed();
  const own = sessionChannel(session.id);
  await dock.follow(own);
  for (const identifier of [sessionChannel(other.id), userChannel(gidOf(maker.id))]) {
    dock.send({ command: "subscribe", identifier });
    const frame = await dock.waitForFrame("the answer", (each) => each.identifier === identifier);
    expect(frame.type).toBe("reject_subscription");
  }
  await unchanged(async () => {
    dock.perform(own, "speak", { body: "Hello from the dock", client_id: "x" });
    await dock.settled();
  });
  await broadcast(deps.redis, [
    { stream: sessionStream(session.id), text: JSON.stringify({ about: "the show" }) },
  ]);
  await dock.waitForFrame("the message", ({ message }) => message?.["about"] === "the show");
});

test("its socket ends when its link is revoked, and none opens by it any more", async () => {
  const { session, secret, id } = await buildDock();
  const server = open();
  const dock = await connect(server, secret).welcomed();
  await dock.follow(sessionChannel(session.id));
  await revokeDock(deps, { sessionId: session.id, dockId: id, actor: maker });
  expect(await dock.waitForClose()).toBe(1_000);
  expect(dock.frames.at(-1)).toEqual({ type: "disconnect", reason: "remote", reconnect: true });
  const client = connect(server, secret);
  await client.waitForClose();
  expect(client.frames).toEqual([]);
});

test("its socket ends with the show", async () => {
  const { session, secret } = await buildDock();
  const dock = await connect(open({ checkMs: 20 }), secret).welcomed();
  await dock.follow(sessionChannel(session.id));
  await timer.stop(session.id);
  await dock.waitForClose();
  expect(dock.ofType("disconnect")).toHaveLength(1);
});
