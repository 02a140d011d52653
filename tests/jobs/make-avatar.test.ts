import { expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import { blobs } from "#db/schema/blobs.ts";
import { startWorker } from "#jobs/workers.ts";
import { connectRedis } from "#src/base/redis.ts";
import { userStream } from "#src/base/streams/broadcast.ts";
import { presentAvatar } from "#src/people/avatars/present-avatar.ts";
import { sweepBlobs } from "#src/people/storage/discard-blobs.ts";
import { Relays } from "#tests/live/relay/relays.ts";
import { openAvatarOwner } from "#tests/people/pictures/avatar-owner.ts";
import { picture } from "#tests/people/pictures/pictures.ts";
import { upload } from "#tests/people/storage/uploads.ts";
import { afterFile } from "#tests/support/after-file.ts";
import { waitFor } from "#tests/support/wait-for.ts";
import { testWorld } from "#tests/support/world.ts";

const { deps, db, server } = await testWorld();
const relays = await Relays.open(deps);
const connection = connectRedis(deps.env.redisUrl, "worker");
const worker = startWorker("makeAvatar", relays.start(), connection);
const stopWorker = async () => {
  await worker.close();
  connection.disconnect();
};
afterFile(async () => {
  await stopWorker();
  await relays.stop();
  relays.listener.stop();
});

test("the worker makes the sizes of an uploaded picture, and only its player gets the message", async () => {
  const { player, browser, sendAvatar, rowOf } = await openAvatarOwner(deps, server);
  const otherPlayer = await openAvatarOwner(deps, server);
  const received = () => relays.listener.user(player.id).filter(({ eventType }) => eventType === "avatar");

  for (const [count, format] of (["png", "webp"] as const).entries()) {
    const { signedId } = await upload(server, browser, await picture(format), { type: `image/${format}` });
    expect((await sendAvatar({ avatar: signedId, crop: { x: 0, y: 0, size: 100 } })).status).toBe(200);
    await waitFor("the message", () => received().length === count + 1);
  }

  const [first, second] = received();
  expect(first).toMatchObject({ sourceType: "User", eventType: "avatar", detail: { version: 1 } });
  const { avatar } = await rowOf();
  expect(second).toMatchObject({ detail: { version: 2, avatar: presentAvatar(avatar) } });
  expect(relays.listener.names(userStream(otherPlayer.player.id))).not.toContain("User/avatar");
  await sweepBlobs(deps);
  expect(await db.$count(blobs, eq(blobs.uploadedById, player.id))).toBe(5);
});
