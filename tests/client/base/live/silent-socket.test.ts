import { afterEach, beforeEach, describe, expect, jest, spyOn, test } from "bun:test";
import { adapters } from "@rails/actioncable/app/assets/javascripts/actioncable.esm.js";
import { listen } from "#client/base/live/cable.ts";
import { readSync, updateConnection } from "#client/base/live/connection.ts";
import { answerSockets, passMs, playSockets, type PlayedSocket } from "#tests/client/played-socket.ts";
import { afterFile } from "#tests/support/after-file.ts";
import { openDom } from "#tests/support/dom.ts";

// A network that carries requests and no messages, on a clock that only this test moves.

const PING_MS = 3_000;
let sockets: readonly PlayedSocket[] = [];
let pages = 0;
let missed = 0;
let stopListening = () => {};

const closeDom = openDom();
const realSocket = adapters.WebSocket;
const random = spyOn(Math, "random").mockReturnValue(0.5);
const fetched = spyOn(globalThis, "fetch");
afterFile(async () => {
  random.mockRestore();
  fetched.mockRestore();
  adapters.WebSocket = realSocket;
  updateConnection({ connected: true, silent: false });
  await closeDom();
});

beforeEach(async () => {
  jest.useFakeTimers();
  answerRequests(true);
  sockets = playSockets();
  pages += 1;
  missed = 0;
});

afterEach(async () => {
  stopListening();
  // What the page was about to do is no business of the next one.
  answerSockets(true);
  updateConnection({ connected: true, silent: false });
  await passMs(3_000);
  jest.useRealTimers();
});

function answerRequests(isOn: boolean): void {
  fetched.mockReset();
  // A request that is lost ends by its own time limit, as in a browser.
  fetched.mockImplementation(
    Object.assign(async () => (isOn ? new Response("{}") : Promise.reject(new Error("lost"))), fetch),
  );
}

/** Opens a page on a server of its own. */
async function openPage(): Promise<void> {
  const params = { channel: "SessionsChannel", id: "silent", offset: null } as const;
  const listener = { received: () => {}, missed: () => void (missed += 1) };
  stopListening = listen(`ws://silent-${pages}.test/cable`, params, listener);
  await passMs(0);
}

const identifier = JSON.stringify({ channel: "SessionsChannel", id: "silent" });
const newest = () => {
  const socket = sockets.at(-1);
  if (socket === undefined) throw new Error("the page opened no socket");
  return socket;
};
const ping = () => newest().receive({ type: "ping", message: 1 });

function confirm(): void {
  expect(newest().readyState).toBe(adapters.WebSocket.OPEN);
  newest().receive({ type: "welcome" });
  newest().receive({ type: "confirm_subscription", identifier });
}

describe("a socket that brings nothing", () => {
  test("is in sync while the server's pings come", async () => {
    await openPage();
    confirm();
    for (let pings = 0; pings < 5; pings += 1) {
      await passMs(PING_MS);
      ping();
      expect(readSync()).toBe("live");
    }
    await passMs(5_900);
    expect([readSync(), fetched.mock.calls.length]).toEqual(["live", 0]);
  });

  test("is not in sync after two missed pings, and is again with the next message", async () => {
    await openPage();
    confirm();
    await passMs(6_010);
    expect(readSync()).toBe("offline");
    ping();
    expect([readSync(), sockets.length]).toEqual(["live", 1]);
  });

  test("is not in sync either if it opened and has brought nothing since", async () => {
    await openPage();
    await passMs(6_010);
    expect(readSync()).toBe("offline");
  });

  test("is replaced, and the page stays offline until the new socket is subscribed, although the close is never reported", async () => {
    await openPage();
    confirm();
    answerSockets(false);
    await passMs(20_000);
    expect([sockets[0]?.closedMs === null, readSync()]).toEqual([false, "offline"]);
    answerSockets(true);
    await passMs(12_000);
    newest().receive({ type: "welcome" });
    expect(readSync()).toBe("offline");
    newest().receive({ type: "confirm_subscription", identifier });
    expect(readSync()).toBe("live");
  });
});

describe("a handshake that is not answered", () => {
  test("is given up after 5 s, and tried again until it is answered", async () => {
    answerSockets(false);
    await openPage();
    await passMs(4_980);
    expect(newest().closedMs).toBeNull();
    await passMs(30);
    expect(newest().closedMs).not.toBeNull();
    expect(readSync()).toBe("offline");
    for (let attempts = 2; attempts < 30; attempts += 1) {
      // 5 s, and at most 4 s with half a second of jitter before it.
      await passMs(9_600);
      expect(sockets.length).toBeGreaterThanOrEqual(attempts);
    }
    answerSockets(true);
    await passMs(9_600);
    confirm();
    expect(readSync()).toBe("live");
  });

  test("after a reset costs the page seconds, not minutes", async () => {
    await openPage();
    confirm();
    answerSockets(false);
    const [first] = sockets;
    first?.reset();
    await passMs(9_600);
    expect([readSync(), sockets.length > 1]).toEqual(["offline", true]);
    answerSockets(true);
    await passMs(9_600);
    confirm();
    expect(readSync()).toBe("live");
  });

  test("is closed at its end, and no later: what is open stays open", async () => {
    await openPage();
    confirm();
    for (let pings = 0; pings < 3; pings += 1) {
      await passMs(PING_MS);
      ping();
    }
    expect([sockets.length, newest().closedMs]).toEqual([1, null]);
  });
});

describe("a page that gets no messages", () => {
  test("asks by HTTP until it gets them again", async () => {
    await openPage();
    confirm();
    answerSockets(false);
    await passMs(8_200);
    expect(missed).toBe(1);
    await passMs(10_000);
    expect(missed).toBe(3);
    answerSockets(true);
    await passMs(9_600);
    confirm();
    const before = missed;
    for (let pings = 0; pings < 5; pings += 1) {
      await passMs(PING_MS);
      ping();
    }
    expect([readSync(), missed - before]).toEqual(["live", 0]);
  });

  test("asks nothing more of a server that does not answer", async () => {
    answerRequests(false);
    await openPage();
    confirm();
    answerSockets(false);
    await passMs(20_000);
    expect([missed, fetched.mock.calls.length > 1]).toEqual([0, true]);
  });

  test("asks nothing where it is connected again within seconds", async () => {
    await openPage();
    confirm();
    newest().reset();
    await passMs(2_000);
    confirm();
    await passMs(3_000);
    ping();
    await passMs(3_000);
    expect([missed, fetched.mock.calls.length, readSync()]).toEqual([0, 0, "live"]);
  });
});
