import { expect, jest, test } from "bun:test";
import { readSync } from "#client/base/live/connection.ts";
import { singleFlight } from "#client/base/live/single-flight.ts";
import type { StreamOffset } from "#src/base/streams/contract.ts";
import { answerSockets, passMs } from "#tests/client/played-socket.ts";
import { NetworkPage } from "./network-page.ts";

const page = new NetworkPage();

const SLEEP_MS = 600_000;

/** Time passes, and none of the page's timers runs. */
function sleep(): void {
  jest.setSystemTime(Date.now() + SLEEP_MS);
  document.dispatchEvent(new Event("visibilitychange"));
}

test("a page that was asleep is catching up at once, and in sync when its socket has told it everything", async () => {
  await page.open();
  page.confirm();
  const before = page.requestsOf();
  sleep();
  expect([readSync(), page.requestsOf() - before]).toEqual(["catching-up", 1]);
  page.ping();
  expect(readSync()).toBe("catching-up");
  page.tellAll();
  expect(readSync()).toBe("live");
});

test("a page that was asleep is never in sync on a dead socket, and is on the next one", async () => {
  await page.open();
  page.confirm();
  answerSockets(false);
  sleep();
  expect(readSync()).toBe("catching-up");
  for (let tenths = 0; tenths < 100; tenths += 1) {
    await passMs(100);
    expect(readSync()).not.toBe("live");
  }
  answerSockets(true);
  await passMs(9_600);
  page.confirm();
  await passMs(100);
  expect(readSync()).toBe("live");
});

test("a page that has missed more than the history has is catching up until its data is loaded", async () => {
  const { promise: loaded, resolve: finish } = Promise.withResolvers<void>();
  const missed = singleFlight(new AbortController().signal, () => loaded);
  await page.open({ missed });
  page.confirm();
  page.newest.reset();
  await passMs(2_000);
  page.subscribe();
  page.tell({ gap: true, epoch: "f", offset: 7 });
  for (let seconds = 0; seconds < 3; seconds += 1) {
    await passMs(1_000);
    page.ping();
    expect(readSync()).toBe("catching-up");
  }
  finish();
  await passMs(10);
  expect(readSync()).toBe("live");
});

const streams = {
  session: { channel: "SessionsChannel", id: "looked-at" },
  user: { channel: "UserChannel", id: "gid" },
} as const;
type Stream = keyof typeof streams;
const all = ["session", "user"] as const;

/** Opens a page that follows both streams, and counts what it hears. */
async function buildPageContext() {
  const heard: string[] = [];
  const following = (stream: Stream) => ({
    channel: streams[stream],
    offset: { epoch: `${stream}-one`, offset: 7 },
    missed: () => void heard.push(`${stream} missed`),
    connected: () => void heard.push(`${stream} connected`),
  });
  await page.open(following("session"));
  page.follow(following("user"));
  confirm();
  heard.length = 0;
  return heard;
}

const confirm = () => page.subscribe(...Object.values(streams));
const send = (stream: Stream, message: object) => page.tell(message, streams[stream]);
const gap = (stream: Stream, after: StreamOffset) => send(stream, { gap: true, ...after });

test("a new epoch of one stream makes the page look once for both, 0 to 2 seconds later", async () => {
  const heard = await buildPageContext();
  for (const stream of all) send(stream, { caughtUp: { epoch: `${stream}-one`, offset: 7 } });
  const before = page.requestsOf(streams.user);
  send("session", { epoch: "session-two", offset: 1, sourceType: "Session" });
  gap("session", { epoch: "session-two", offset: 1 });
  // The other stream is asked, and its gap belongs to the same look.
  expect(page.requestsOf(streams.user)).toBe(before + 1);
  gap("user", { epoch: "user-two", offset: 0 });
  await passMs(1_000);
  expect(heard).toEqual([]);
  await passMs(100);
  expect(heard.toSorted()).toEqual(["session missed", "user missed"]);
  await passMs(5_000);
  expect(heard).toHaveLength(2);
});

test("a page whose socket is closed looks 0 to 2 seconds after its return, and one that was away at once", async () => {
  const heard = await buildPageContext();
  page.newest.close();
  await passMs(1_100);
  expect(page.sockets).toHaveLength(2);
  confirm();
  await passMs(1_000);
  expect(heard).toEqual([]);
  await passMs(100);
  expect(heard).toEqual(["session connected", "user connected"]);
  heard.length = 0;
  page.newest.close();
  await passMs(10);
  globalThis.dispatchEvent(new Event("online"));
  await passMs(10);
  expect(page.sockets).toHaveLength(3);
  confirm();
  await passMs(60);
  expect(heard).toEqual(["session connected", "user connected"]);
});

test("two listeners of one stream share a subscription, which lasts until the last one leaves for longer than a tick", async () => {
  const one = await page.open();
  page.confirm();
  const other = page.follow();
  expect([page.subscribes, other.told]).toEqual([1, { connected: 1, missed: 1, rejected: 0 }]);
  for (const { stop } of [one, other]) stop();
  const again = page.follow();
  await passMs(20);
  again.stop();
  await passMs(20);
  expect(page.newest.commands.filter((command) => command.includes("subscribe"))).toHaveLength(2);
});

// A network that carries requests and no messages.

const PING_MS = 3_000;

test("a socket that brings nothing is not in sync after two missed pings, and is again with the next message", async () => {
  await page.open();
  page.confirm();
  await passMs(6_010);
  expect(readSync()).toBe("offline");
  page.ping();
  expect([readSync(), page.sockets.length]).toEqual(["live", 1]);
});

test("a socket that brings nothing is replaced, and the page stays offline until the new socket is subscribed, although the close is never reported", async () => {
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

test("a handshake that is not answered is given up after 5 s, and tried again until it is answered", async () => {
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

test("a page that gets no messages asks by HTTP until it gets them again", async () => {
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

test("a page that gets no messages asks nothing more of a server that does not answer", async () => {
  page.answerRequests(false);
  await page.open();
  page.confirm();
  answerSockets(false);
  await passMs(20_000);
  expect([page.missed, page.requests > 1]).toEqual([0, true]);
});
