import { describe, expect, test } from "bun:test";
import { readSync } from "#client/base/live/connection.ts";
import { answerSockets, passMs } from "#tests/client/played-socket.ts";
import { NetworkPage } from "./network-page.ts";

// A network that carries requests and no messages.

const PING_MS = 3_000;
const page = new NetworkPage();

describe("a socket that brings nothing", () => {
  test("is in sync while the server's pings come", async () => {
    await page.open();
    page.confirm();
    for (let pings = 0; pings < 5; pings += 1) {
      await passMs(PING_MS);
      page.ping();
      expect(readSync()).toBe("live");
    }
    await passMs(5_900);
    expect([readSync(), page.requests]).toEqual(["live", 0]);
  });

  test("is not in sync after two missed pings, and is again with the next message", async () => {
    await page.open();
    page.confirm();
    await passMs(6_010);
    expect(readSync()).toBe("offline");
    page.ping();
    expect([readSync(), page.sockets.length]).toEqual(["live", 1]);
  });

  test("is not in sync either if it opened and has brought nothing since", async () => {
    await page.open();
    await passMs(6_010);
    expect(readSync()).toBe("offline");
  });

  test("is replaced, and the page stays offline until the new socket is subscribed, although the close is never reported", async () => {
    await page.open();
    page.confirm();
    answerSockets(false);
    await passMs(20_000);
    expect([page.sockets[0]?.closedMs === null, readSync()]).toEqual([false, "offline"]);
    answerSockets(true);
    await passMs(12_000);
    page.subscribe();
    expect(readSync()).toBe("catching-up");
    page.tellAll();
    // It has asked by HTTP meanwhile, and loads what it was answered.
    await passMs(100);
    expect(readSync()).toBe("live");
  });
});

describe("a handshake that is not answered", () => {
  test("is given up after 5 s, and tried again until it is answered", async () => {
    answerSockets(false);
    await page.open();
    await passMs(4_980);
    expect(page.newest.closedMs).toBeNull();
    await passMs(30);
    expect(page.newest.closedMs).not.toBeNull();
    expect(readSync()).toBe("offline");
    for (let attempts = 2; attempts < 30; attempts += 1) {
      // 5 s, and at most 4 s with half a second of jitter before it.
      await passMs(9_600);
      expect(page.sockets.length).toBeGreaterThanOrEqual(attempts);
    }
    answerSockets(true);
    await passMs(9_600);
    page.confirm();
    expect(readSync()).toBe("live");
  });

  test("after a reset costs the page seconds, not minutes", async () => {
    await page.open();
    page.confirm();
    answerSockets(false);
    const [first] = page.sockets;
    first?.reset();
    await passMs(9_600);
    expect([readSync(), page.sockets.length > 1]).toEqual(["offline", true]);
    answerSockets(true);
    await passMs(9_600);
    page.confirm();
    expect(readSync()).toBe("live");
  });

  test("is closed at its end, and no later: what is open stays open", async () => {
    await page.open();
    page.confirm();
    for (let pings = 0; pings < 3; pings += 1) {
      await passMs(PING_MS);
      page.ping();
    }
    expect([page.sockets.length, page.newest.closedMs]).toEqual([1, null]);
  });
});

describe("a page that gets no messages", () => {
  test("asks by HTTP until it gets them again", async () => {
    await page.open();
    page.confirm();
    answerSockets(false);
    await passMs(8_200);
    expect(page.missed).toBe(1);
    await passMs(10_000);
    expect(page.missed).toBe(3);
    answerSockets(true);
    await passMs(9_600);
    page.confirm();
    const before = page.missed;
    for (let pings = 0; pings < 5; pings += 1) {
      await passMs(PING_MS);
      page.ping();
    }
    expect([readSync(), page.missed - before]).toEqual(["live", 0]);
  });

  test("asks nothing more of a server that does not answer", async () => {
    page.answerRequests(false);
    await page.open();
    page.confirm();
    answerSockets(false);
    await passMs(20_000);
    expect([page.missed, page.requests > 1]).toEqual([0, true]);
  });

  test("asks nothing where it is connected again within seconds", async () => {
    await page.open();
    page.confirm();
    page.newest.reset();
    await passMs(2_000);
    page.confirm();
    await passMs(3_000);
    page.ping();
    await passMs(3_000);
    expect([page.missed, page.requests, readSync()]).toEqual([0, 0, "live"]);
  });
});
