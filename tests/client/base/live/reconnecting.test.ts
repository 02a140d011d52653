import { beforeEach, describe, expect, jest, spyOn, test } from "bun:test";
import { adapters } from "@rails/actioncable/app/assets/javascripts/actioncable.esm.js";
import { listen } from "#client/base/live/cable.ts";
import { passMs, playSockets, type PlayedSocket } from "#tests/client/played-socket.ts";
import { afterFile, afterTest } from "#tests/support/after-file.ts";
import { openDom } from "#tests/support/dom.ts";

// The page's connection as the specification times it, on a clock that only this test moves: 6 s without a message, a backoff
// rate of 0.15 with an exponent of at most 10, jitter, and the delays of 200 ms and 500 ms.

let sockets: readonly PlayedSocket[] = [];
let startedMs = 0;
let stopListening = () => {};
let pages = 0;
let chance = 0.5;

const closeDom = openDom();
const realSocket = adapters.WebSocket;
const random = spyOn(Math, "random").mockImplementation(() => chance);
afterFile(async () => {
  random.mockRestore();
  adapters.WebSocket = realSocket;
  await closeDom();
});

beforeEach(async () => {
  jest.useFakeTimers();
  await openPage();
});

afterTest(async () => {
  await closePage();
  jest.useRealTimers();
});

/** Opens a page on a server of its own. */
async function openPage(): Promise<void> {
  sockets = playSockets();
  startedMs = Date.now();
  pages += 1;
  const params = { channel: "SessionsChannel", id: "derby", offset: null } as const;
  stopListening = listen(`ws://server-${pages}.test/cable`, params, { received: () => {}, missed: () => {} });
  await passMs(0);
}

/** Ends the page's subscription, for which the page waits one tick. */
async function closePage(): Promise<void> {
  stopListening();
  await passMs(10);
}

const passUntil = (atMs: number) => passMs(atMs - (Date.now() - startedMs));
const newest = () => {
  const socket = sockets.at(-1);
  if (socket === undefined) throw new Error("the page opened no socket");
  return socket;
};
const identifier = JSON.stringify({ channel: "SessionsChannel", id: "derby" });
const closedAtMs = () => sockets.flatMap(({ closedMs }) => (closedMs === null ? [] : [closedMs - startedMs]));

/** Subscribed, as a page usually is. */
function confirm(): void {
  newest().receive({ type: "welcome" });
  newest().receive({ type: "confirm_subscription", identifier });
}

describe("a connection without messages", () => {
  test("is kept for 6 seconds", async () => {
    confirm();
    await passUntil(3_050);
    newest().receive({ type: "ping", message: 1 });
    await passUntil(9_040);
    expect(closedAtMs()).toEqual([]);
  });

  test("is closed when the check finds it silent for more than 6 seconds", async () => {
    confirm();
    await passUntil(2_950);
    newest().receive({ type: "ping", message: 1 });
    await passUntil(8_990);
    expect(closedAtMs()).toEqual([]);
    await passUntil(9_010);
    expect(closedAtMs()).toEqual([9_000]);
  });

  test("is opened again 500 ms after it was closed", async () => {
    chance = 0.1;
    await closePage();
    await openPage();
    confirm();
    await passUntil(7_500);
    chance = 0.5;
    expect(closedAtMs()).toEqual([6_600]);
    expect(sockets.map(({ createdMs }) => createdMs - startedMs)).toEqual([0, 7_100]);
  });
});

test.each([0.5, 0.9])(
  "checks grow apart by a rate of 0.15, at most ten times, with a jitter of up to 1 and then 0.15 (chance %p)",
  async (drawn) => {
    chance = drawn;
    await closePage();
    await openPage();
    const expectedMs: number[] = [6_000 * (1 + 1 * drawn)];
    for (let attempt = 1; attempt <= 12; attempt += 1) {
      const waitMs = 6_000 * 1.15 ** Math.min(attempt, 10) * (1 + 0.15 * drawn);
      expectedMs.push((expectedMs.at(-1) ?? 0) + waitMs);
    }
    await passUntil((expectedMs.at(-1) ?? 0) + 50);
    chance = 0.5;
    const actualMs = closedAtMs();
    expect(actualMs).toHaveLength(expectedMs.length);
    // Timers count whole milliseconds.
    for (const [index, atMs] of actualMs.entries()) {
      expect(Math.abs(atMs - (expectedMs[index] ?? 0))).toBeLessThan(30);
    }
  },
);

describe("a page that becomes visible", () => {
  const becomeVisible = () => globalThis.dispatchEvent(new Event("visibilitychange"));

  test("checks its connection after 200 ms", async () => {
    confirm();
    await passUntil(7_000);
    becomeVisible();
    await passUntil(7_190);
    expect(closedAtMs()).toEqual([]);
    await passUntil(7_210);
    expect(closedAtMs()).toEqual([7_200]);
  });

  test("keeps a connection that has messages", async () => {
    confirm();
    await passUntil(5_000);
    becomeVisible();
    await passUntil(5_500);
    expect(closedAtMs()).toEqual([]);
  });
});

test("a pending subscription is sent again every 500 ms until it is confirmed", async () => {
  const subscribe = JSON.stringify({ command: "subscribe", identifier });
  const sent = () => newest().commands.filter((command) => command === subscribe).length;
  newest().receive({ type: "welcome" });
  const counts = [sent()];
  for (const atMs of [490, 510, 990, 1_010, 1_510]) {
    await passUntil(atMs);
    counts.push(sent());
  }
  expect(counts).toEqual([1, 1, 2, 2, 3, 4]);
  newest().receive({ type: "confirm_subscription", identifier });
  await passUntil(4_000);
  expect(sent()).toBe(4);
});
