import { expect, test } from "bun:test";
import { calls } from "#db/schema/calls.ts";
import { JSON_LIMIT } from "#src/http/read-body.ts";
import { createServer } from "#src/server.ts";
import { givePassword } from "#tests/people/users/person.ts";
import { testWorld } from "#tests/support/world.ts";
import { listen } from "./listen.ts";

const MB = 1_048_576;

const { deps, db, build, read } = await testWorld();
const { port, origin, comeFrom } = listen(deps);
const user = await build.player();
await givePassword(deps, user.id);
const player = comeFrom();
await player.signIn(user.email);
const event = await build.event("open");
const spotId = (await read.spots(event.id)).true.id;

const padded = (bytes: number) =>
  `{"call":{"spot_id":${spotId},"wager":1}, "padding":"${"x".repeat(bytes)}"}`;

/** A body that is sent in chunks, without a Content-Length. */
function inChunks(text: string): ReadableStream<Uint8Array> {
  const bytes = new TextEncoder().encode(text);
  let sent = 0;
  return new ReadableStream({
    pull: (controller) => {
      controller.enqueue(bytes.subarray(sent, sent + 65_536));
      sent += 65_536;
      if (sent >= bytes.length) controller.close();
    },
  });
}

const sendInChunks = (text: string) =>
  player.pass(
    new Request(`${origin}/api/v1/calls`, {
      method: "POST",
      headers: { "content-type": "application/json", "x-csrf-token": player.token },
      body: inChunks(text),
    }),
  );

test("a body of up to 16 KB is accepted, whole or in chunks", async () => {
  const body = padded(JSON_LIMIT.bytes - 100);
  expect((await player.send("POST", "/api/v1/calls", { body })).status).toBe(201);
  expect((await sendInChunks(body)).status).toBe(201);
});

test("a larger body is refused, and no call is placed", async () => {
  const before = await db.$count(calls);
  for (const response of [
    await player.send("POST", "/api/v1/calls", { body: padded(JSON_LIMIT.bytes) }),
    await sendInChunks(padded(JSON_LIMIT.bytes)),
    await sendInChunks(padded(4 * MB)),
  ]) {
    expect(response.status).toBe(413);
    expect(await response.json()).toMatchObject({ code: "too_large" });
  }
  expect(await db.$count(calls)).toBe(before);
});

test("a body of 100 MB is not read into memory", async () => {
  const before = process.memoryUsage.rss();
  const response = await fetch(`${origin}/api/v1/calls`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: new Blob([new Uint8Array(100 * MB)]),
  }).catch(() => null);
  expect([null, 413]).toContain(response === null ? null : response.status);
  expect(process.memoryUsage.rss() - before).toBeLessThan(300 * MB);
  expect((await player.get("/api/v1/calls")).status).toBe(200);
});

test("a second server on the same port fails to start", () => {
  expect(() => createServer(deps).listen({ port, hostname: "127.0.0.1" })).toThrow("in use");
});
