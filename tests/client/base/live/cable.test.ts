import { beforeEach, expect, test } from "bun:test";
import type { ServerWebSocket } from "bun";
import { listen } from "#client/base/live/cable.ts";
import { readSync, updateConnection } from "#client/base/live/connection.ts";
import type { SessionMessage } from "#src/live/relay/schemas.ts";
import { afterFile } from "#tests/support/after-file.ts";
import { openDom } from "#tests/support/dom.ts";
import { waitFor } from "#tests/support/wait-for.ts";
type Command = { command: string; identifier: string; data?: string };
let commands: Command[];

/** A page with an offset has missed nothing. */
function answerTo(data: string): object {
  const { epoch, offset }: { epoch?: string; offset?: number } = JSON.parse(data);
  return epoch === undefined ? { gap: true, epoch: "e", offset: 0 } : { caughtUp: { epoch, offset } };
}

/** A server that speaks as much Action Cable as a page needs, and records the commands it receives. */
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
const closeDom = openDom();

const server = serve();
afterFile(async () => {
  // Stops the client from reconnecting.
  for (const socket of sockets) socket.send('{"type":"disconnect","reason":"remote","reconnect":false}');
  await waitFor("the client to go", () => sockets.size === 0);
  await server.stop(true);
  await closeDom();
  // Other test files have this page's state too.
  updateConnection({ connected: true, dismissed: null });
});

beforeEach(() => {
  commands = [];
});

function listenTo(id: string) {
  const received = { connected: 0, missed: 0, messages: [] as unknown[] };
  const stop = listen(
    `ws://127.0.0.1:${server.port}/cable`,
    { channel: "SessionsChannel", id, offset: null },
    {
      missed: () => void (received.missed += 1),
      connected: () => void (received.connected += 1),
      received: (message) => void received.messages.push(message),
    },
  );
  return { received, stop };
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
const countOf = (name: string) => commands.filter(({ command }) => command === name).length;

test("two listeners of one session share a subscription, and both receive its messages", async () => {
  const one = listenTo("derby");
  await waitFor("the first to be connected", () => one.received.connected === 1);
  const other = listenTo("derby");
  expect(other.received).toMatchObject({ connected: 1, missed: 1 });
  broadcast("derby", presence);
  await waitFor(
    "both to receive it",
    () => one.received.messages.length === 1 && other.received.messages.length === 1,
  );
  expect(one.received.messages).toEqual([presence]);
  expect(countOf("subscribe")).toBe(1);
  one.stop();
  other.stop();
  await waitFor("the last one to leave", () => countOf("unsubscribe") === 1);
});

test("a listener that leaves and returns in the same tick keeps the subscription", async () => {
  listenTo("final").stop();
  const again = listenTo("final");
  await waitFor("a connection", () => again.received.connected > 0);
  await Bun.sleep(20);
  expect([countOf("subscribe"), countOf("unsubscribe")]).toEqual([1, 0]);
  again.stop();
});

test("a disconnected page is offline, reconnects within seconds and requests what it missed", async () => {
  const page = listenTo("league");
  await waitFor("a connection", () => page.received.connected === 1);
  for (const socket of sockets) socket.close(1001);
  await waitFor("the page to notice", () => readSync() === "offline");
  await waitFor("the reconnection", () => page.received.connected === 2);
  await waitFor("both requests", () => countOf("message") === 2);
  expect(page.received.missed).toBe(1);
  expect(readSync()).toBe("live");
  page.stop();
});

test("a page without a network is offline; afterwards a surviving socket is asked for missed messages, and trusted with its answer", async () => {
  const page = listenTo("cup");
  await waitFor("a connection", () => countOf("message") === 1);
  globalThis.dispatchEvent(new Event("offline"));
  expect(readSync()).toBe("offline");
  globalThis.dispatchEvent(new Event("online"));
  expect(readSync()).toBe("offline");
  await waitFor("the answer", () => readSync() === "live");
  expect(countOf("message")).toBe(2);
  page.stop();
});
