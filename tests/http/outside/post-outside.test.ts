import { expect, test } from "bun:test";
import type { Socket } from "node:net";
import { createHostPlaces, HostBusy } from "#src/http/outside/host-places.ts";
import { postOutside, TimedOut } from "#src/http/outside/post-outside.ts";
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

const post = (origin: string, timeoutMs = 1_000) =>
  postOutside({ url: `${origin}/push`, headers: {}, body: "{}" }, { publicOnly: false, timeoutMs });

test.each<[string, (socket: Socket) => void]>([
  ["never answers", keepSilent],
  ["writes a header line every 100 ms", dripHeaders],
  ["stops in the middle of its answer", stopHalfWay],
  ["answers 100 Continue all the time", (socket) => continueForEver(socket)],
])("a server that %s is given up at the deadline, and the connection is closed", async (_name, behave) => {
  const server = await HostileServer.start(behave);
  const error = await post(server.origin).catch((caught: unknown) => caught);
  expect(error).toBeInstanceOf(TimedOut);
  await waitFor("the connection to be closed", () => server.open === 0);
});

function continueForEver(socket: Socket): void {
  const timer = setInterval(() => socket.write("HTTP/1.1 100 Continue\r\n\r\n"), 50);
  socket.on("close", () => clearInterval(timer));
}

test("of an endless body the start is read, and the connection is closed", async () => {
  const server = await HostileServer.start(floodBody);
  const answer = await post(server.origin, 60_000);
  expect(answer).toMatchObject({ status: 201, start: "x".repeat(1_000) });
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
  const message = { url: server.origin, headers: {}, body: "x".repeat(20_000_000) };
  const sent = postOutside(message, { publicOnly: false, timeoutMs: 1_000 });
  expect(await sent.catch((caught: unknown) => caught)).toBeInstanceOf(TimedOut);
});

test("a request that finds no place is told when to come back, and is not sent", async () => {
  const server = await HostileServer.start(keepSilent);
  const places = createHostPlaces();
  const send = () =>
    postOutside(
      { url: server.origin, headers: {}, body: "{}" },
      { publicOnly: false, timeoutMs: 2_000, places },
    ).catch((caught: unknown) => caught);
  const ends = await Promise.all(Array.from({ length: 40 }, send));
  const busy = ends.filter((end) => end instanceof HostBusy);
  expect([ends.filter((end) => end instanceof TimedOut).length, busy.length]).toEqual([3, 37]);
  expect(busy.every(({ waitMs }) => waitMs > 0)).toBe(true);
  expect(server.openMax).toBe(3);
  await waitFor("the connections to be closed", () => server.open === 0);
  // The places are free again.
  expect(await send()).toBeInstanceOf(TimedOut);
});
