import { afterAll, beforeAll, expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import { blobs } from "#db/schema/blobs.ts";
import { startAvatarWorker } from "#jobs/workers/make-avatar.ts";
import { connectRedis } from "#src/base/redis.ts";
import { createServer, type Server } from "#src/server.ts";
import { presentAvatar } from "#src/sign-ins/present-avatar.ts";
import { userStream } from "#src/streams/broadcast.ts";
import { picture } from "#tests/profiles/pictures.ts";
import { openWearer } from "#tests/profiles/wearer.ts";
import { Relays } from "#tests/relay/relays.ts";
import { upload } from "#tests/storage/uploads.ts";
import { buildDeps, type TestDeps } from "#tests/support/deps.ts";
import { waitFor } from "#tests/support/wait-for.ts";

let deps: TestDeps;
let server: Server;
let relays: Relays;
let stopWorker: () => Promise<void>;
beforeAll(async () => {
  deps = await buildDeps();
  server = createServer(deps);
  relays = await Relays.open(deps);
  const connection = connectRedis(deps.env.redisUrl, "worker");
  const worker = startAvatarWorker(relays.start(), connection);
  stopWorker = async () => {
    await worker.close();
    connection.disconnect();
  };
});
afterAll(async () => {
  await stopWorker();
  await relays.stop();
  relays.radio.stop();
  await deps.close();
});

test("a picture that was sent is made by the worker and told to its player alone, the newest last", async () => {
  const { player, browser, sendAvatar, rowOf } = await openWearer(deps, server);
  const stranger = await openWearer(deps, server);
  const heard = () => relays.radio.user(player.id).filter(({ eventType }) => eventType === "avatar");

  for (const [count, format] of (["png", "webp"] as const).entries()) {
    const { signedId } = await upload(server, browser, await picture(format), { type: `image/${format}` });
    expect((await sendAvatar({ avatar: signedId, crop: { x: 0, y: 0, size: 100 } })).status).toBe(200);
    await waitFor("the picture to be told", () => heard().length === count + 1);
  }

  const [first, second] = heard();
  expect(first).toMatchObject({ sourceType: "User", eventType: "avatar", detail: { version: 1 } });
  const { avatar } = await rowOf();
  expect(second).toMatchObject({ detail: { version: 2, avatar: presentAvatar(avatar) } });
  expect(relays.radio.names(userStream(stranger.player.id))).not.toContain("User/avatar");
  await waitFor("the old files to go", async () => {
    return (await deps.pool.db.$count(blobs, eq(blobs.uploadedById, player.id))) === 5;
  });
});
