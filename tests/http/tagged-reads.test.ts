import { expect, test } from "bun:test";
import { type TestClient } from "#tests/support/client.ts";
import { testWorld } from "#tests/support/world.ts";

const SHOW = "/api/v1/sessions/the-show";

const { build, client, signedIn } = await testWorld();
const [player, asPlayer] = await signedIn.player();
const asAdmin = await client(await build.admin());
const session = await build.runningSession({ slug: "the-show" });
const { id: eventId } = await build.event("open", { sessionId: session.id });

const tagOf = async (visitor: TestClient, path: string) =>
  String((await visitor.get(path)).headers.get("etag"));
const getIfChanged = (visitor: TestClient, path: string, tag: string) =>
  visitor.send("GET", path, undefined, { "if-none-match": tag });

test("a client that has the current answer gets 304 until it changes", async () => {
  const tag = await tagOf(asPlayer, SHOW);
  const again = await getIfChanged(asPlayer, SHOW, tag);
  expect([again.status, again.body]).toEqual([304, null]);
  expect(again.headers.get("etag")).toBe(tag);
  expect(again.headers.get("cache-control")).toBe("private, no-cache");
  expect(again.headers.get("vary")).toBe("cookie");
  expect(again.headers.get("x-csrf-token")).toHaveLength(86);

  await asAdmin.send("PATCH", SHOW, { session: { name: "Another name" } });
  const changed = await getIfChanged(asPlayer, SHOW, tag);
  expect([changed.status, changed.body]).toMatchObject([200, { session: { name: "Another name" } }]);
  expect(changed.headers.get("etag")).not.toBe(tag);
});

test("the server time does not change the ETag, everything else does", async () => {
  const path = `${SHOW}/events?per_page=5`;
  const first = await asPlayer.get(path);
  const second = await asPlayer.get(path);
  expect(JSON.stringify(first.body)).not.toBe(JSON.stringify(second.body));
  const tag = String(second.headers.get("etag"));
  expect(first.headers.get("etag")).toBe(tag);
  expect((await getIfChanged(asPlayer, path, tag)).status).toBe(304);
  await build.call({ userId: player.id, eventId });
  expect((await getIfChanged(asPlayer, path, tag)).status).toBe(200);
});

test("the ETags of different players differ", async () => {
  const path = `/api/v1/events/${eventId}`;
  await build.call({ userId: player.id, eventId });
  const other = await client(await build.player());
  expect((await getIfChanged(other, path, await tagOf(asPlayer, path))).status).toBe(200);
});

test("HEAD has the same ETag as GET, and takes If-None-Match", async () => {
  const head = await asPlayer.send("HEAD", SHOW);
  const tag = String(head.headers.get("etag"));
  expect([head.status, head.body, tag]).toEqual([200, null, await tagOf(asPlayer, SHOW)]);
  expect((await asPlayer.send("HEAD", SHOW, undefined, { "if-none-match": tag })).status).toBe(304);
});

test("a known ETag does not bypass authorization", async () => {
  const path = "/api/v1/blueprints";
  const tag = await tagOf(asAdmin, path);
  expect((await getIfChanged(asAdmin, path, tag)).status).toBe(304);
  expect((await getIfChanged(asPlayer, path, tag)).status).toBe(403);
});

test("personal answers have no ETag and must not be stored", async () => {
  const own = `/api/v1/users/${player.id}`;
  for (const path of [
    "/api/v1/users/me",
    own,
    `${own}/wallet`,
    `${own}/notifications`,
    `${own}/results`,
    "/api/v1/calls",
    "/api/v1/transactions",
  ]) {
    const { status, headers } = await asPlayer.get(path);
    const caching = [headers.get("cache-control"), headers.get("etag")];
    expect([path, status, caching]).toEqual([path, 200, ["no-store", null]]);
  }
  expect((await asAdmin.get("/api/v1/users")).headers.get("cache-control")).toBe("no-store");
  expect((await asPlayer.get("/api/v1/events/0")).headers.get("cache-control")).toBe("no-store");
});
