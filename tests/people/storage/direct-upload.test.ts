import { beforeEach, expect, test } from "bun:test";
import { eq, sql } from "drizzle-orm";
import { blobs } from "#db/schema/blobs.ts";
import { discardBlobs, sweepBlobs } from "#src/people/storage/discard-blobs.ts";
import { signId } from "#src/people/storage/signed-id.ts";
import { only } from "#tests/support/build.ts";
import type { TestClient } from "#tests/support/client.ts";
import { testWorld } from "#tests/support/world.ts";
import { PNG_BYTES, announce, announcementOf, sendBytes, upload } from "./uploads.ts";

const TEXT = new Uint8Array(PNG_BYTES);
let browser: TestClient;
let playerId: number;

const { deps, server, client, set, build } = await testWorld();

beforeEach(async () => {
  const player = await build.player();
  playerId = player.id;
  browser = await client(player);
});

const rowOf = async (id: number) => only(await deps.pool.db.select().from(blobs).where(eq(blobs.id, id)));
const read = (signedId: string, name = "notes.png") =>
  server.handle(new Request(`http://localhost:3000/api/v1/storage/blobs/${signedId}/${name}`));

const TOO_LARGE = "is too large (maximum is 5 MB)";
const NO_PICTURE = "must be a PNG, JPEG, WebP or GIF picture";

test("an upload is announced, sent and read", async () => {
  const announced = await announce(browser, announcementOf(TEXT));
  expect(announced).toMatchObject({
    filename: "notes.png",
    content_type: "image/png",
    contentType: "image/png",
    byte_size: 20,
    byteSize: 20,
    signed_id: announced.signedId,
    direct_upload: announced.directUpload,
  });
  expect(announced.directUpload.headers).toEqual({ "Content-Type": "image/png" });
  expect((await read(announced.signedId)).status).toBe(404);

  expect((await sendBytes(server, announced.directUpload, TEXT)).status).toBe(204);
  expect((await sendBytes(server, announced.directUpload, TEXT)).status).toBe(204);

  const answer = await read(announced.signedId);
  expect(answer.status).toBe(200);
  expect(new Uint8Array(await answer.arrayBuffer())).toEqual(TEXT);
  expect(await rowOf(announced.id)).toMatchObject({ uploadedById: playerId, attachedAt: null });
});

test("a file that the server did not encode is a download, and is not cached", async () => {
  const { signedId } = await upload(server, browser, TEXT, { name: "x.html", type: "image/png" });
  const { headers } = await read(signedId, "x.html");
  const path = `/api/v1/storage/blobs/${signedId}/x.html`;
  expect((await server.handle(new Request(`http://localhost:3000${path}`, { method: "HEAD" }))).status).toBe(
    200,
  );
  expect(headers.get("content-type")).toBe("application/octet-stream");
  expect(headers.get("content-disposition")).toMatch(/^attachment; filename="x.html"/);
  expect(headers.get("x-content-type-options")).toBe("nosniff");
  expect(headers.get("cache-control")).toBe("private, no-store");
  expect(headers.get("content-security-policy")).toContain("default-src 'none'");
});

test.each([
  ["../../etc/passwd", "passwd"],
  ["..\\..\\boot.ini", "boot.ini"],
  ["..", "file"],
  ['a"\r\nset-cookie: x', "a_ set-cookie: x"],
  ["zażółć.png", "zażółć.png"],
])("a file called %j is called %j, and lies where every file lies", async (name, called) => {
  const { id, key, signedId, filename } = await upload(server, browser, TEXT, { name });
  expect(filename).toBe(called);
  expect((await rowOf(id)).key).toBe(key);
  expect(key).toMatch(/^[0-9a-f]{40}$/);
  for (const name of ["notes.png", "..%2f..%2fsecret-key", "%2e%2e/%2e%2e/x"]) {
    const answer = await read(signedId, name);
    expect([200, 404]).toContain(answer.status);
    if (answer.status === 404) continue;
    expect(new Uint8Array(await answer.arrayBuffer())).toEqual(TEXT);
    for (const header of ["set-cookie", "x-csrf-token"]) expect(answer.headers.has(header)).toBe(false);
  }
});

const good = announcementOf(TEXT);
const blob = (change: object) => ({ blob: { ...good, ...change } });
test.each<[what: string, body: object, status: number, errors: object | undefined]>([
  ["5 MB and a byte", blob({ byte_size: 5_242_881 }), 422, { byteSize: [TOO_LARGE] }],
  ["a checksum of something else", blob({ checksum: "abc" }), 422, { checksum: ["is invalid"] }],
  ["no name", blob({ filename: " " }), 422, { filename: ["can't be blank"] }],
  ["a type that is none", blob({ content_type: "image/png\r\ny" }), 422, { contentType: [NO_PICTURE] }],
  ["a page", blob({ content_type: "text/html" }), 422, { contentType: [NO_PICTURE] }],
  ["an SVG", blob({ content_type: "image/svg+xml" }), 422, { contentType: [NO_PICTURE] }],
  ["any bytes", blob({ content_type: "application/octet-stream" }), 422, { contentType: [NO_PICTURE] }],
])("refused without creating a blob: %s", async (_, body, status, errors) => {
  const before = await deps.pool.db.$count(blobs);
  const answer = await browser.send("POST", "/api/v1/storage/direct_uploads", body);
  expect(answer.status).toBe(status);
  if (errors !== undefined) expect(answer.body).toMatchObject({ errors });
  expect(await deps.pool.db.$count(blobs)).toBe(before);
});

test("refused without creating a blob: the 61st upload within an hour", async () => {
  const blobOf = () => browser.send("POST", "/api/v1/storage/direct_uploads", { blob: good });
  for (let sent = 0; sent < 60; sent += 1) {
    expect((await blobOf()).status).toBe(201);
    await deps.pool.db.delete(blobs).where(eq(blobs.uploadedById, playerId));
  }
  expect(await blobOf()).toMatchObject({ status: 429, body: { code: "rate_limited" } });
  expect(await deps.pool.db.$count(blobs, eq(blobs.uploadedById, playerId))).toBe(0);
});

test("refused without creating a blob: the 51st unattached upload", async () => {
  for (let sent = 0; sent < 50; sent += 1) await announce(browser, good);
  const before = await deps.pool.db.$count(blobs);
  const answer = await browser.send("POST", "/api/v1/storage/direct_uploads", { blob: good });
  expect(answer).toMatchObject({ status: 429, body: { code: "too_many" } });
  expect(answer.headers.get("retry-after")).toBe("3600");
  expect(await deps.pool.db.$count(blobs)).toBe(before);
});

const other = TEXT.with(-1, 33);
test.each<[what: string, bytes: Uint8Array, type: string, errors: object]>([
  ["other ones of the same length", other, "image/png", { checksum: ["doesn't match"] }],
  ["fewer", TEXT.subarray(1), "image/png", { byteSize: ["doesn't match"] }],
  ["none", new Uint8Array(), "image/png", { byteSize: ["doesn't match"] }],
  ["many more", new Uint8Array(3_000_000), "image/png", { byteSize: ["doesn't match"] }],
])("refused bytes are not stored: %s", async (_, bytes, type, errors) => {
  const { id, key, directUpload } = await announce(browser, announcementOf(TEXT));
  const sent = await sendBytes(server, { ...directUpload, headers: { "Content-Type": type } }, bytes);
  expect(sent.status).toBe(422);
  expect(await sent.json()).toMatchObject({ errors });
  expect((await rowOf(id)).storedAt).toBeNull();
  expect(await deps.store.get(key)).toBeNull();
});

const bytesOf = (text: string) => Uint8Array.from(Buffer.from(text, "latin1"));
test.each<[what: string, bytes: Uint8Array, type: string, text: string]>([
  ["an SVG", bytesOf("<svg xmlns='http://www.w3.org/2000/svg'/>"), "image/png", NO_PICTURE],
  ["a page", bytesOf("<!doctype html><script>alert(1)</script>"), "image/gif", NO_PICTURE],
  ["a page with the sign of a GIF later", bytesOf("<script>GIF89a</script>"), "image/gif", NO_PICTURE],
  ["a sound in the container of WebP", bytesOf("RIFF....WAVEfmt "), "image/webp", NO_PICTURE],
  ["half a sign", bytesOf("\x89PNG"), "image/png", NO_PICTURE],
])("refused bytes are not stored: %s that says it is something else", async (_, bytes, type, text) => {
  const { id, key, directUpload } = await announce(browser, announcementOf(bytes, { type }));
  const sent = await sendBytes(server, directUpload, bytes);
  expect(sent.status).toBe(422);
  expect(await sent.json()).toMatchObject({ errors: { contentType: [text] } });
  expect((await rowOf(id)).storedAt).toBeNull();
  expect(await deps.store.get(key)).toBeNull();
});

test.each<[what: string, bytes: Uint8Array, type: string, is: string]>([
  ["a PNG that a messenger named .jpg", TEXT, "image/jpeg", "image/png"],
  ["a WebP that a browser saved as .png", bytesOf("RIFF....WEBPVP8 "), "image/png", "image/webp"],
  ["a JPEG", bytesOf("\xff\xd8\xff"), "image/gif", "image/jpeg"],
  ["a GIF", bytesOf("GIF89a"), "image/webp", "image/gif"],
])("refused bytes are not stored: but %s is taken as what its bytes are", async (_, bytes, type, is) => {
  const { id, directUpload } = await announce(browser, announcementOf(bytes, { type }));
  expect((await sendBytes(server, directUpload, bytes)).status).toBe(204);
  expect(await rowOf(id)).toMatchObject({ contentType: is, storedAt: expect.any(Date) });
  // It may be sent again as it was announced.
  expect((await sendBytes(server, directUpload, bytes)).status).toBe(204);
});

test("refused bytes are not stored: more bytes than the maximum", async () => {
  const { directUpload } = await announce(browser, announcementOf(TEXT));
  const headers = { ...directUpload.headers, "content-length": "6000000" };
  const request = new Request(directUpload.url, { method: "PUT", headers, body: "x" });
  expect((await server.handle(request)).status).toBe(413);
});

const changedOnes = (signed: string) => [
  `${signed.slice(0, -1)}${signed.endsWith("A") ? "B" : "A"}`,
  `1${signed}`,
  signed.replace("-", "-1"),
  signed.slice(0, -1),
  `${signed}A`,
  "",
  "__proto__",
  "%00",
];

test("a signed id is invalid when it is altered, for another purpose, after its expiry, and with another secret key", async () => {
  const { id, signedId, directUpload } = await announce(browser, announcementOf(TEXT));
  const token = directUpload.url.split("/").at(-1) ?? "";
  const expiresAt = new Date(Date.now() - 1_000);
  const late = signId(deps.env.secretKey, { id, purpose: "upload", expiresAt });
  for (const wrong of [...changedOnes(token), signedId, late]) {
    const url = directUpload.url.replace(token, wrong);
    expect([404, 422]).toContain((await sendBytes(server, { ...directUpload, url }, TEXT)).status);
  }
  expect((await rowOf(id)).storedAt).toBeNull();
  expect((await sendBytes(server, directUpload, TEXT)).status).toBe(204);
  const foreign = signId("another secret", { id, purpose: "blob", expiresAt: null });
  for (const wrong of [...changedOnes(signedId), token, foreign])
    expect((await read(wrong)).status).toBe(404);
  expect((await read(signedId)).status).toBe(200);
});

const makeOld = (id: number) =>
  set(blobs, id, {
    createdAt: sql`clock_timestamp() - interval '25 hours'`,
  });

test("unattached uploads are deleted with their bytes after a day; others stay", async () => {
  const [old, young, held] = [
    await upload(server, browser, PNG_BYTES),
    await upload(server, browser, PNG_BYTES),
    await upload(server, browser, PNG_BYTES),
  ];
  await makeOld(old.id);
  await makeOld(held.id);
  await deps.pool.db.update(blobs).set({ attachedAt: new Date() }).where(eq(blobs.id, held.id));

  await sweepBlobs(deps);

  expect(await deps.pool.db.$count(blobs, eq(blobs.id, old.id))).toBe(0);
  expect(await deps.store.get(old.key)).toBeNull();
  expect((await read(old.signedId)).status).toBe(404);
  for (const remaining of [young, held]) expect((await read(remaining.signedId)).status).toBe(200);
});

test("unattached uploads are not served and accept no bytes once discarded", async () => {
  const { id, key, signedId, directUpload } = await upload(server, browser, PNG_BYTES);
  await discardBlobs(deps.pool.db, [id]);
  expect((await read(signedId)).status).toBe(404);
  expect((await sendBytes(server, directUpload, PNG_BYTES)).status).toBe(404);
  await sweepBlobs(deps);
  expect(await deps.store.get(key)).toBeNull();
});
