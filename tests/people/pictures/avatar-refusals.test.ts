import { beforeEach, expect, test } from "bun:test";
import { blobs } from "#db/schema/blobs.ts";
import { signId } from "#src/people/storage/signed-id.ts";
import { announce, announcementOf, upload } from "#tests/people/storage/uploads.ts";
import type { TestClient } from "#tests/support/client.ts";
import { testWorld } from "#tests/support/world.ts";
import { openAvatarOwner, type AvatarOwner } from "./avatar-owner.ts";
import { hugePng, picture } from "./pictures.ts";
let browser: TestClient;
let sendAvatar: AvatarOwner["sendAvatar"];
let rowOf: AvatarOwner["rowOf"];

// A refused picture changes nothing, including the other fields of the request.
const { deps, server, client, read, build } = await testWorld();

beforeEach(async () => {
  ({ browser, sendAvatar, rowOf } = await openAvatarOwner(deps, server));
});

const bytesOf = (text: string) => Uint8Array.from(Buffer.from(text, "latin1"));
const cases: [what: string, make: () => Promise<Uint8Array>, type: string, text: string][] = [
  [
    "a picture of 50,000 pixels a side",
    () => hugePng(50_000),
    "image/png",
    "has too many pixels (maximum is 10,000 a side and 50 million in all)",
  ],
  [
    "a picture of 9,000 pixels a side",
    () => hugePng(9_000),
    "image/png",
    "has too many pixels (maximum is 10,000 a side and 50 million in all)",
  ],
  [
    "a truncated picture",
    async () => (await picture("jpeg")).subarray(0, 900),
    "image/jpeg",
    "cannot be read: the file is damaged",
  ],
  [
    "a header without a picture",
    async () => bytesOf("\x89PNG\r\n\x1a\n"),
    "image/png",
    "cannot be read: the file is damaged",
  ],
];
test.each(cases)("%s is refused", async (_, make, type, text) => {
  const { id, signedId } = await upload(server, browser, await make(), { type });
  const before = await rowOf();
  const answer = await sendAvatar({ avatar: signedId, username: "changed_too" });
  expect(answer).toMatchObject({ status: 422, body: { errors: { avatar: [text] } } });
  expect(await rowOf()).toEqual(before);
  expect((await read.row(blobs, id)).attachedAt).toBeNull();
});

test("a signed id that is altered, expired, for another purpose, without bytes or another user's is refused", async () => {
  const bytes = await picture("png");
  const stranger = await client(await build.player());
  const theirs = await upload(server, stranger, bytes, { type: "image/png" });
  const mine = await upload(server, browser, bytes, { type: "image/png" });
  const awaited = await announce(browser, announcementOf(bytes, { type: "image/png" }));
  const late = { id: mine.id, expiresAt: new Date(Date.now() - 1_000) };
  const before = await rowOf();
  for (const avatar of [
    theirs.signedId,
    awaited.signedId,
    `1${mine.signedId}`,
    mine.directUpload.url.split("/").at(-1) ?? "",
    signId(deps.env.secretKey, { ...late, purpose: "blob" }),
    "../../etc/passwd",
  ]) {
    const answer = await sendAvatar({ avatar });
    expect(answer).toMatchObject({ status: 422, body: { errors: { avatar: ["is invalid"] } } });
  }
  expect(await rowOf()).toEqual(before);
});

test("an upload that is attached already is refused", async () => {
  const { signedId } = await upload(server, browser, await picture("png"), { type: "image/png" });
  expect((await sendAvatar({ avatar: signedId })).status).toBe(200);
  const before = await rowOf();
  expect((await sendAvatar({ avatar: signedId })).status).toBe(422);
  expect(await rowOf()).toEqual(before);
});

test.each([
  [{ x: 1, y: 0, size: 400 }],
  [{ x: 0, y: 1, size: 200 }],
  [{ x: -1, y: 0, size: 10 }],
  [{ x: 0, y: 0, size: 0 }],
  [{ x: 0.5, y: 0, size: 10 }],
  [{ x: 0, y: 0, size: 10, angle: 90 }],
  [[0, 0, 10]],
  ["0,0,10"],
])("a crop outside the picture or an invalid one is refused: %j", async (crop) => {
  const { signedId } = await upload(server, browser, await picture("png"), { type: "image/png" });
  const before = await rowOf();
  expect((await sendAvatar({ avatar: signedId, crop })).status).toBe(422);
  expect(await rowOf()).toEqual(before);
});

test("a crop that begins outside of any accepted picture is refused with the bound", async () => {
  const { signedId } = await upload(server, browser, await picture("png"), { type: "image/png" });
  const before = await rowOf();
  const answer = await sendAvatar({ avatar: signedId, crop: { x: 10_000, y: 0, size: 10 } });
  expect(answer).toMatchObject({ status: 422, body: { errors: { "crop.x": ["must be less than 10000"] } } });
  expect(await rowOf()).toEqual(before);
});
