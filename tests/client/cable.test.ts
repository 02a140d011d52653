import { beforeEach, expect, test } from "bun:test";
import type { ServerWebSocket } from "bun";
import { listen } from "#client/cable.ts";
import { readSync } from "#client/connection.ts";
import type { SessionMessage } from "#src/relay/schemas.ts";
import { afterFile } from "#tests/support/after-file.ts";
import { openDom } from "#tests/support/dom.ts";
import { waitFor } from "#tests/support/wait-for.ts";
type Command = { command: string; identifier: string; data?: string };
let commands: Command[];

/** To a page that knows its place: it has missed nothing. */
function answerTo(data: string): object {
  const { epoch, offset }: { epoch?: string; offset?: number } = JSON.parse(data);
  return epoch === undefined ? { gap: true, epoch: "e", offset: 0 } : { caughtUp: { epoch, offset } };
}

function serve() {
  return Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch: (request, self) => {
      const headers = { "sec-websocket-protocol": "actioncable-v1-json" };
      return self.upgrade(request, { headers }) ? undefined : new Response("", { status: 404 });
    },
    websocket: {
      open(socket) {
        sockets.add(socket);
        socket.send('{"type":"welcome"}');
      },
      message(socket, text) {
        const command: Command = JSON.parse(String(text));
        commands.push(command);
        const { identifier, data } = command;
        if (command.command === "subscribe")
          socket.send(JSON.stringify({ type: "confirm_subscription", identifier }));
        if (data !== undefined) socket.send(JSON.stringify({ identifier, message: answerTo(data) }));
      },
      close: (socket) => void sockets.delete(socket),
    },
  });
}

const sockets = new Set<ServerWebSocket>();
/** A server that speaks as much Action Cable as a page needs, and records the commands it receives. */
const closeDom = openDom();

const server = serve();
afterFile(async () => {
  // So that the client stops coming back.
  for (const socket of sockets) socket.send('{"type":"disconnect","reason":"remote","reconnect":false}');
  await waitFor("the client to go", () => sockets.size === 0);
  await server.stop(true);
  await closeDom();
});

beforeEach(() => {
  commands = [];
});

function hear(id: string) {
  const heard = { connected: 0, missed: 0, messages: [] as unknown[] };
  const stop = listen(
    `ws://127.0.0.1:${server.port}/cable`,
    { channel: "SessionsChannel", id, offset: null },
    {
      missed: () => void (heard.missed += 1),
      connected: () => void (heard.connected += 1),
      received: (message) => void heard.messages.push(message),
    },
  );
  return { heard, stop };
}

function broadcast(id: string, message: SessionMessage): void {
  const identifier = JSON.stringify({ channel: "SessionsChannel", id });
  for (const socket of sockets) socket.send(JSON.stringify({ identifier, message }));
}

const presence: SessionMessage = {
  sourceType: "Presence",
  eventType: "count",
  detail: { playersOnline: 3, version: 1, serverTime: "2026-11-21T20:14:00.000Z" },
};
const given = (name: string) => commands.filter(({ command }) => command === name).length;

test("two that listen to one session share a subscription; both hear, also the one that came later", async () => {
  const one = hear("derby");
  await waitFor("the first to be connected", () => one.heard.connected === 1);
  const other = hear("derby");
  expect(other.heard).toMatchObject({ connected: 1, missed: 1 });
  broadcast("derby", presence);
  await waitFor("both to hear", () => one.heard.messages.length === 1 && other.heard.messages.length === 1);
  expect(one.heard.messages).toEqual([presence]);
  expect(given("subscribe")).toBe(1);
  one.stop();
  other.stop();
  await waitFor("the last one to leave", () => given("unsubscribe") === 1);
});

test("who leaves and comes back in the same turn keeps the subscription", async () => {
  hear("final").stop();
  const again = hear("final");
  await waitFor("a connection", () => again.heard.connected > 0);
  await Bun.sleep(20);
  expect([given("subscribe"), given("unsubscribe")]).toEqual([1, 0]);
  again.stop();
});

test("a page whose link is cut is offline, comes back within seconds and asks what it has missed", async () => {
  const page = hear("league");
  await waitFor("a connection", () => page.heard.connected === 1);
  for (const socket of sockets) socket.close(1001);
  await waitFor("the page to notice", () => readSync() === "offline");
  await waitFor("the way back", () => page.heard.connected === 2, { withinMs: 5_000 });
  await waitFor("both questions", () => given("message") === 2);
  expect(page.heard.missed).toBe(1);
  expect(readSync()).toBe("live");
  page.stop();
});

test("without a network the page is offline; with it a socket that lived on is asked what was missed", async () => {
  const page = hear("cup");
  await waitFor("a connection", () => given("message") === 1);
  globalThis.dispatchEvent(new Event("offline"));
  expect(readSync()).toBe("offline");
  globalThis.dispatchEvent(new Event("online"));
  expect(readSync()).toBe("live");
  await waitFor("the second question", () => given("message") === 2);
  page.stop();
});

// The last one: a client that was told to stay away stays away.
test("a page that is told to stay away looks why", async () => {
  const page = hear("ended");
  await waitFor("its place", () => page.heard.missed === 1);
  for (const socket of sockets) {
    socket.send('{"type":"disconnect","reason":"unauthorized","reconnect":false}');
    socket.close(1000);
  }
  await waitFor("the look", () => page.heard.missed === 2);
  expect(readSync()).toBe("offline");
  page.stop();
});
