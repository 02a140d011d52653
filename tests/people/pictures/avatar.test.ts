import { beforeEach, expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import sharp from "sharp";
import * as v from "valibot";
import { blobs } from "#db/schema/blobs.ts";
import { outbox } from "#db/schema/outbox.ts";
import { createQueues } from "#src/base/queues.ts";
import { makeAvatar, sweepAvatars } from "#src/people/pictures/make-avatar.ts";
import { sweepBlobs } from "#src/people/storage/discard-blobs.ts";
import { type ProfileView, profileAnswer } from "#src/profiles/schemas.ts";
import { createServer } from "#src/server.ts";
import { openOwnRedis } from "#tests/live/cable/own-redis.ts";
import { upload } from "#tests/people/storage/uploads.ts";
import type { BuiltUser } from "#tests/support/build.ts";
import { type Answer, signedInClient, type TestClient } from "#tests/support/client.ts";
import { testWorld } from "#tests/support/world.ts";
import { openAvatarOwner, type AvatarOwner } from "./avatar-owner.ts";
import { inspectPicture, picture } from "./pictures.ts";
let player: BuiltUser;
let browser: TestClient;
let sendAvatar: AvatarOwner["sendAvatar"];
let rowOf: AvatarOwner["rowOf"];

const { deps, server, set } = await testWorld();

beforeEach(async () => {
  ({ player, browser, sendAvatar, rowOf } = await openAvatarOwner(deps, server));
});

const userIn = ({ body }: Answer): ProfileView => v.parse(profileAnswer, body).user;
/** The player's files, without those that the sweep deletes. */
async function filesOf() {
  await sweepBlobs(deps);
  return deps.pool.db.select().from(blobs).where(eq(blobs.uploadedById, player.id));
}
const open = (path: string | null) => server.handle(new Request(`http://localhost:3000${path}`));
const bytesAt = async (path: string | null) => new Uint8Array(await (await open(path)).arrayBuffer());

/** True where the middle of the picture is blue, false where it is red. */
async function isBlue(path: string | null): Promise<boolean> {
  const { middle } = await inspectPicture(await bytesAt(path));
  const [red = 0, , blue = 0] = middle;
  expect(Math.abs(red - blue)).toBeGreaterThan(200);
  return blue > red;
}

/** Uploads and attaches a picture, and makes its sizes as the worker does. */
async function wear(bytes: Uint8Array, type: string, crop?: object): Promise<ProfileView> {
  const { id, signedId } = await upload(server, browser, bytes, { name: "me", type });
  expect((await sendAvatar({ avatar: signedId, crop })).status).toBe(200);
  await makeAvatar(deps, { userId: player.id, blobId: id });
  return userIn(await browser.get("/api/v1/users/me"));
}

test.each(["png", "jpeg", "webp", "gif"] as const)(
  "a %s becomes six pictures that are public and cacheable forever",
  async (format) => {
    const { avatar, avatarPending } = await wear(await picture(format), `image/${format}`);

    expect(avatarPending).toBe(false);
    expect(avatar.default).toBe(avatar.medium);
    const sides = { thumb: 48, small: 96, medium: 128, large: 256 };
    for (const [size, side] of Object.entries(sides)) {
      const path = Object.entries(avatar).find(([name]) => name === size)?.[1] ?? null;
      const answer = await open(path);
      expect(answer.headers.get("content-type")).toBe("image/webp");
      expect(answer.headers.get("content-disposition")).toStartWith("inline");
      expect(answer.headers.get("x-content-type-options")).toBe("nosniff");
      expect(answer.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
      expect(answer.headers.has("set-cookie")).toBe(false);
      expect(await inspectPicture(new Uint8Array(await answer.arrayBuffer()))).toMatchObject({
        width: side,
        height: side,
      });
    }
    const original = await sharp(await bytesAt(avatar.original)).metadata();
    expect(original).toMatchObject({ format: "webp", width: 400, height: 200 });
    expect(original.exif).toBeUndefined();
  },
);

test("the upload is deleted with its metadata; only the five encoded files remain", async () => {
  await wear(await picture("jpeg"), "image/jpeg");
  const files = await filesOf();
  expect(files.every((file) => file.picture)).toBe(true);
  expect(files.map(({ filename }) => filename).toSorted((a, b) => a.localeCompare(b))).toEqual([
    "large.webp",
    "medium.webp",
    "original.webp",
    "small.webp",
    "thumb.webp",
  ]);
});

test("the square sizes show the chosen crop, by default the middle", async () => {
  const left = await wear(await picture("png"), "image/png", { x: 0, y: 0, size: 200 });
  expect(await isBlue(left.avatar.large)).toBe(false);
  const right = await wear(await picture("png"), "image/png", { x: 200, y: 0, size: 200 });
  expect(await isBlue(right.avatar.large)).toBe(true);
  const centre = await wear(await picture("png"), "image/png");
  const { data } = await sharp(await bytesAt(centre.avatar.large))
    .raw()
    .toBuffer({ resolveWithObject: true });
  expect([(data[0] ?? 0) > 235, (data[255 * 3 + 2] ?? 0) > 235]).toEqual([true, true]);
});

test("a picture that the camera rotated is cropped after the rotation", async () => {
  const turned = new Uint8Array(
    await sharp(await picture("jpeg"))
      .withMetadata({ orientation: 6 })
      .jpeg()
      .toBuffer(),
  );
  // Upright it is 200 px wide and 400 px high, red above and blue below.
  const { avatar } = await wear(turned, "image/jpeg", { x: 0, y: 200, size: 200 });
  expect(await isBlue(avatar.large)).toBe(true);
});

test("the answer has the old picture and `avatarPending` until the new one is made", async () => {
  const before = await wear(await picture("png"), "image/png");
  const { id, signedId } = await upload(server, browser, await picture("webp"), { type: "image/webp" });
  const user = userIn(await sendAvatar({ avatar: signedId }));
  expect(user.avatar).toEqual(before.avatar);
  expect(user.avatarPending).toBe(true);
  await makeAvatar(deps, { userId: player.id, blobId: id });
  expect((await open(before.avatar.large)).status).toBe(404);
  expect(await filesOf()).toHaveLength(5);
});

test("making sizes twice, or after another choice, changes nothing", async () => {
  const first = await upload(server, browser, await picture("png"), { type: "image/png" });
  const second = await upload(server, browser, await picture("gif"), { type: "image/gif" });
  await sendAvatar({ avatar: first.signedId });
  await sendAvatar({ avatar: second.signedId });
  await makeAvatar(deps, { userId: player.id, blobId: first.id });
  expect((await rowOf()).avatar).toBeNull();
  await Promise.all(
    [second, second, second].map(({ id }) => makeAvatar(deps, { userId: player.id, blobId: id })),
  );
  const made = await rowOf();
  await makeAvatar(deps, { userId: player.id, blobId: second.id });
  expect(await rowOf()).toEqual(made);
  expect(await filesOf()).toHaveLength(5);
});

test("removing a picture, visible or pending, deletes its files", async () => {
  const { avatar } = await wear(await picture("png"), "image/png");
  const { id, signedId } = await upload(server, browser, await picture("png"), { type: "image/png" });
  await sendAvatar({ avatar: signedId });

  const gone = userIn(await sendAvatar({ avatar: null }));
  expect(gone).toMatchObject({
    avatarPending: false,
    avatar: { default: null, thumb: null, original: null },
  });
  await makeAvatar(deps, { userId: player.id, blobId: id });
  expect(userIn(await browser.get("/api/v1/users/me")).avatar.default).toBeNull();
  await sweepBlobs(deps);
  expect((await open(avatar.large)).status).toBe(404);
  expect(await filesOf()).toEqual([]);
  expect((await sendAvatar({ avatar: null })).status).toBe(200);
});

test("each change writes a fact and increases the revision", async () => {
  await wear(await picture("png"), "image/png");
  await sendAvatar({ avatar: null });
  const facts = await deps.pool.db.select().from(outbox).where(eq(outbox.kind, "avatar_changed"));
  expect(facts.filter(({ payload }) => JSON.stringify(payload) === `{"userId":${player.id}}`)).toHaveLength(
    2,
  );
  expect((await rowOf()).avatar).toMatchObject({ revision: 2, pictures: null });
});

test("while Redis is unavailable the request succeeds, and the sweep makes the sizes", async () => {
  const redis = await openOwnRedis();
  const queues = createQueues(redis.redis);
  const cutOff = createServer({ ...deps, redis: redis.redis, queues });
  const { signedId } = await upload(cutOff, browser, await picture("png"), { type: "image/png" });
  await redis.stop();
  const offline = await signedInClient(deps, cutOff, player);
  const answer = await offline.send("PATCH", `/api/v1/users/${player.id}`, { user: { avatar: signedId } });
  expect(answer.status).toBe(200);
  await queues.close();
  await redis.close();
  await sweepAvatars(deps);
  expect((await rowOf()).avatar).toBeNull();
  await set(blobs, eq(blobs.uploadedById, player.id), {
    attachedAt: new Date(Date.now() - 60_000),
  });
  await sweepAvatars(deps);
  expect(userIn(await browser.get("/api/v1/users/me")).avatar.default).toStartWith("/api/v1/storage/blobs/");
});

test("a picture whose bytes are lost is discarded, and the previous avatar stays", async () => {
  const { avatar } = await wear(await picture("png"), "image/png");
  const { id, key, signedId } = await upload(server, browser, await picture("png"), { type: "image/png" });
  await sendAvatar({ avatar: signedId });
  await deps.store.remove(key);
  await makeAvatar(deps, { userId: player.id, blobId: id });
  const user = userIn(await browser.get("/api/v1/users/me"));
  expect(user).toMatchObject({ avatar, avatarPending: false });
});

test("addresses signed with a previous secret key are signed again", async () => {
  const { avatar } = await wear(await picture("png"), "image/png");
  const env = { ...deps.env, secretKey: "the secret after the one that leaked" };
  const later = { ...deps, env };
  const after = createServer(later);
  const openLater = (path: string | null) => after.handle(new Request(`http://localhost:3000${path}`));
  expect((await openLater(avatar.large)).status).toBe(404);
  await sweepAvatars(later);
  const stored = v.parse(v.object({ pictures: v.object({ large: v.string() }) }), (await rowOf()).avatar);
  expect((await openLater(stored.pictures.large)).status).toBe(200);
  await sweepAvatars(deps);
});
