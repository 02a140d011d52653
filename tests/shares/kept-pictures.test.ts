import { beforeEach, expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import * as v from "valibot";
import { blobs } from "#db/schema/blobs.ts";
import { shares } from "#db/schema/shares.ts";
import { startWorker } from "#jobs/workers.ts";
import { connectRedis } from "#src/base/redis.ts";
import { sweepBlobs } from "#src/people/storage/discard-blobs.ts";
import { createShare } from "#src/shares/create-share.ts";
import { fileOf } from "#src/shares/draw-picture.ts";
import { findShared } from "#src/shares/find-shared.ts";
import { sceneOf } from "#src/shares/lay-out-scene.ts";
import { storePicture, makePicture } from "#src/shares/store-picture.ts";
import { pruneShares, revokeShare } from "#src/shares/update-share.ts";
import { givePassword, PASSWORD } from "#tests/people/users/person.ts";
import { afterFile } from "#tests/support/after-file.ts";
import { only } from "#tests/support/build.ts";
import { resolveAndPay } from "#tests/support/pay.ts";
import { problem, startS3Server } from "#tests/support/s3-server.ts";
import { waitFor } from "#tests/support/wait-for.ts";
import { testWorld } from "#tests/support/world.ts";
import { buildCalled, buildWon, readShares } from "./shows.ts";

const s3 = startS3Server();
const { deps, db, server, client, read } = await testWorld({ STORAGE: s3.address });
afterFile(() => s3.stop());
beforeEach(() => s3.refuse(null));

const pictureOf = (token: string) =>
  server.handle(new Request(`http://localhost:3000/api/v1/shared/${token}/picture.png`));
const sceneAt = async (token: string) => sceneOf(await findShared(deps, token, new Date()));
const keptOf = async (userId: number) => {
  const { pictureBlobId } = only(await readShares(deps, userId));
  return pictureBlobId === null ? null : read.row(blobs, pictureBlobId);
};

/** A player with a link to a call that was won. */
async function buildShared() {
  const won = await buildWon(deps);
  const wish = { viewer: won.player, kind: "result", targetId: won.callId } as const;
  const { shareId } = await createShare(db, wish, new Date());
  const { token } = only(await readShares(deps, won.player.id));
  return { ...won, shareId, token };
}

test("a worker draws and stores the picture when the link is made, once", async () => {
  const connection = connectRedis(deps.env.redisUrl, "worker");
  const worker = startWorker("drawPicture", deps, connection);
  const { player, callId } = await buildCalled(deps);
  const browser = await client(player);
  const wish = { share: { kind: "call", target_id: callId, time_zone: "UTC" } };
  expect((await browser.send("POST", "/api/v1/shares", wish)).status).toBe(201);
  const kept = await waitFor("the picture", () => keptOf(player.id));
  expect(kept).toMatchObject({
    contentType: "image/png",
    uploadedById: player.id,
    picture: true,
    discardedAt: null,
  });
  expect(s3.objects.get(`uploads/kept/${kept.key}`)?.contentType).toBe("image/png");
  const [{ token } = { token: "" }] = await readShares(deps, player.id);
  expect(kept.filename).toBe(fileOf(await sceneAt(token)));
  await worker.close();
  connection.disconnect();
  // Doing the job again changes nothing.
  const [{ id } = { id: 0 }] = await readShares(deps, player.id);
  await makePicture(deps, id);
  expect((await keptOf(player.id))?.id).toBe(kept.id);
}, 60_000);

test("a reader gets the stored picture, and nothing is drawn", async () => {
  const { token } = await buildShared();
  // These bytes are drawn by nobody.
  const picture = new TextEncoder().encode("the stored picture");
  await storePicture(deps, token, { scene: await sceneAt(token), picture });
  const response = await pictureOf(token);
  expect([response.status, await response.text()]).toEqual([200, "the stored picture"]);
});

test("a corrected result is drawn again when somebody asks, and the picture before is deleted", async () => {
  const { player, event, token, shareId } = await buildShared();
  await makePicture(deps, shareId);
  const before = await keptOf(player.id);
  const correction = { eventId: event.id, actor: null, result: "false", reason: "It did not" } as const;
  await resolveAndPay(deps, correction);
  expect((await pictureOf(token)).status).toBe(200);
  // The reader has changed nothing, and the worker has a job.
  expect((await keptOf(player.id))?.id).toBe(before?.id ?? 0);
  const jobs = () => deps.queues.byName["link-pictures"].getJobs(["delayed"]);
  await waitFor("the job", async () =>
    (await jobs()).some(({ data }) => v.is(v.object({ shareId: v.literal(shareId) }), data)),
  );
  await makePicture(deps, shareId);
  expect((await keptOf(player.id))?.filename).toBe(fileOf(await sceneAt(token)));
  await sweepBlobs(deps);
  expect(await db.$count(blobs, eq(blobs.id, before?.id ?? 0))).toBe(0);
  expect(s3.objects.has(`uploads/kept/${before?.key}`)).toBe(false);
}, 60_000);

test("while the storage refuses, a reader gets a picture all the same", async () => {
  const { token, shareId, player } = await buildShared();
  await storePicture(deps, token, { scene: await sceneAt(token), picture: new Uint8Array([1]) });
  s3.refuse({ answer: () => problem(403, "AccessDenied") });
  const response = await pictureOf(token);
  expect([response.status, (await response.arrayBuffer()).byteLength > 1_000]).toEqual([200, true]);
  s3.refuse(null);
  await revokeShare(db, { viewer: player, shareId });
}, 60_000);

test("the picture of a link that is over leaves the storage, and so does that of a deleted account", async () => {
  const [revoked, expired, erased] = [await buildShared(), await buildShared(), await buildShared()];
  const kept: string[] = [];
  for (const { token, player } of [revoked, expired, erased]) {
    await storePicture(deps, token, { scene: await sceneAt(token), picture: new Uint8Array([1]) });
    kept.push(`uploads/kept/${(await keptOf(player.id))?.key}`);
  }
  const inStore = () => kept.map((name) => s3.objects.has(name));
  expect(inStore()).toEqual([true, true, true]);
  await revokeShare(db, { viewer: revoked.player, shareId: revoked.shareId });
  await db.update(shares).set({ expiresAt: new Date() }).where(eq(shares.id, expired.shareId));
  await pruneShares(deps);
  await sweepBlobs(deps);
  expect(inStore()).toEqual([false, false, true]);
  expect(await keptOf(revoked.player.id)).toBeNull();

  await givePassword(deps, erased.player.id);
  const browser = await client(erased.player);
  const proof = { user: { current_password: PASSWORD } };
  expect((await browser.send("PUT", "/api/v1/users/me/delete", proof)).status).toBe(204);
  await sweepBlobs(deps);
  expect(inStore()).toEqual([false, false, false]);
});
