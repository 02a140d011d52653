import { expect, test } from "bun:test";
import type { Socket } from "node:net";
import { Semaphore } from "#db/pool/semaphore.ts";
import { createHostPlaces, HostBusy } from "#src/http/outside/host-places.ts";
import {
  BadLength,
  type OutsideOptions,
  requestOutside,
  retryAfterOf,
  startOf,
  TimedOut,
} from "#src/http/outside/request-outside.ts";
import {
  dripHeaders,
  floodBody,
  floodHeaders,
  HostileServer,
  keepSilent,
  readNothing,
  stopHalfWay,
} from "#tests/support/hostile-server.ts";
import { waitFor } from "#tests/support/wait-for.ts";

/** Far more than the buffers of both sides hold. */
const FLOOD_BYTES_MAX = 32_000_000;

const post = (origin: string, timeoutMs = 1_000, more: Partial<OutsideOptions> = {}) =>
  requestOutside(
    { url: `${origin}/push`, method: "POST", headers: {}, body: "{}" },
    { publicOnly: false, timeoutMs, ...more },
  );

test.each<[string, (socket: Socket) => void]>([
  ["never answers", keepSilent],
  ["writes a header line every 100 ms", dripHeaders],
  ["stops in the middle of its answer", stopHalfWay],
  ["answers 100 Continue all the time", (socket) => continueForEver(socket)],
])("a server that %s is given up at the deadline, and the connection is closed", async (_name, behave) => {
  const server = await HostileServer.start(behave);
  expect(await post(server.origin).catch((caught: unknown) => caught)).toBeInstanceOf(TimedOut);
  await waitFor("the connection to be closed", () => server.open === 0);
});

function continueForEver(socket: Socket): void {
  const timer = setInterval(() => socket.write("HTTP/1.1 100 Continue\r\n\r\n"), 50);
  socket.on("close", () => clearInterval(timer));
}

test("of an endless body the start is read, and the connection is closed", async () => {
  const server = await HostileServer.start(floodBody);
  const answer = await post(server.origin, 60_000);
  expect([answer.status, startOf(answer)]).toEqual([201, "x".repeat(1_000)]);
  await waitFor("the connection to be closed", () => server.open === 0);
  expect(server.bytesWritten).toBeLessThan(FLOOD_BYTES_MAX);
});

test("endless headers are refused, and the connection is closed", async () => {
  const server = await HostileServer.start(floodHeaders);
  expect(await post(server.origin, 60_000).catch((caught: unknown) => caught)).toBeInstanceOf(Error);
  await waitFor("the connection to be closed", () => server.open === 0);
  expect(server.bytesWritten).toBeLessThan(FLOOD_BYTES_MAX);
});

test("a server that reads nothing of a large message is given up at the deadline", async () => {
  const server = await HostileServer.start(readNothing);
  const message = { url: server.origin, method: "PUT", headers: {}, body: "x".repeat(20_000_000) };
  const sent = requestOutside(message, { publicOnly: false, timeoutMs: 1_000 });
  expect(await sent.catch((caught: unknown) => caught)).toBeInstanceOf(TimedOut);
});

test("a request that finds no place is told when to come back, and is not sent", async () => {
  const server = await HostileServer.start(keepSilent);
  const places = createHostPlaces();
  const send = () => post(server.origin, 2_000, { places }).catch((caught: unknown) => caught);
  const ends = await Promise.all(Array.from({ length: 40 }, send));
  const busy = ends.filter((end) => end instanceof HostBusy);
  expect([ends.filter((end) => end instanceof TimedOut).length, busy.length]).toEqual([3, 37]);
  expect(busy.every(({ waitMs }) => waitMs > 0)).toBe(true);
  expect(server.openMax).toBe(3);
  await waitFor("the connections to be closed", () => server.open === 0);
  // The places are free again.
  expect(await send()).toBeInstanceOf(TimedOut);
});

test("a request that waits for its turn is given up at its deadline, and is not sent afterwards", async () => {
  const server = await HostileServer.start(keepSilent);
  const turns = new Semaphore(2);
  const send = () => post(server.origin, 1_000, { turns }).catch((caught: unknown) => caught);
  const ends = await Promise.all(Array.from({ length: 20 }, send));
  expect(ends.every((end) => end instanceof TimedOut)).toBe(true);
  await waitFor("the connections to be closed", () => server.open === 0 && turns.counts().running === 0);
  // One that is closed may still be counted when the next is opened.
  expect(server.openMax).toBeLessThanOrEqual(4);
});

test("who needs the whole answer gets all of it, and no longer one and no part of one", async () => {
  const answering = (...parts: string[]) =>
    HostileServer.start((socket) => {
      socket.write(parts.join(""));
      socket.end();
    });
  const whole = { wholeBytesMax: 5_000 };
  const head = "HTTP/1.1 200 OK\r\nconnection: close\r\n";
  const good = await answering(head, "content-length: 3000\r\n\r\n", "y".repeat(3_000));
  expect((await post(good.origin, 5_000, whole)).body).toHaveLength(3_000);
  const long = await HostileServer.start(floodBody);
  expect(await post(long.origin, 60_000, whole).catch((caught: unknown) => caught)).toBeInstanceOf(BadLength);
  await waitFor("the connection to be closed", () => long.open === 0);
  expect(long.bytesWritten).toBeLessThan(FLOOD_BYTES_MAX);
  for (const cut of ["content-length: 3000\r\n\r\nhalf", "transfer-encoding: chunked\r\n\r\nff\r\nhalf"]) {
    const half = await answering(head, cut);
    expect(await post(half.origin, 5_000, whole).catch((caught: unknown) => caught)).toBeInstanceOf(Error);
  }
});

test("the time to try again is read as seconds and as a date", () => {
  const now = Date.UTC(2026, 10, 22, 20, 0, 0);
  const waitOf = (text: string | undefined) => retryAfterOf({ headers: { "retry-after": text } }, now);
  expect([waitOf("40"), waitOf(" 40 "), waitOf("Sun, 22 Nov 2026 20:01:30 GMT")]).toEqual([40, 40, 90]);
  for (const text of [undefined, "", "0", "-5", "soon", "4e9", "Sun, 22 Nov 2026 19:00:00 GMT"])
    expect([text, waitOf(text)]).toEqual([text, null]);
});
