import { expect, test } from "bun:test";
import * as v from "valibot";
import { makeAvatar } from "#src/people/pictures/make-avatar.ts";
import { sweepBlobs } from "#src/people/storage/discard-blobs.ts";
import { profileAnswer } from "#src/profiles/schemas.ts";
import { createServer } from "#src/server.ts";
import { upload } from "#tests/people/storage/uploads.ts";
import { afterFile } from "#tests/support/after-file.ts";
import { testDeps } from "#tests/support/deps.ts";
import { startS3Server } from "#tests/support/s3-server.ts";
import { openAvatarOwner } from "./avatar-owner.ts";
import { picture } from "./pictures.ts";

const s3 = startS3Server();
const deps = await testDeps({ STORAGE: s3.address });
const server = createServer(deps);
afterFile(() => s3.stop());

test("avatars work with uploads in a bucket; while the bucket is unavailable they are a 503", async () => {
  const { player, browser, sendAvatar } = await openAvatarOwner(deps, server);
  const { id, signedId } = await upload(server, browser, await picture("png"), { type: "image/png" });
  expect((await sendAvatar({ avatar: signedId })).status).toBe(200);
  await makeAvatar(deps, { userId: player.id, blobId: id });
  await sweepBlobs(deps);
  expect(s3.objects.size).toBe(5);
  const { user } = v.parse(profileAnswer, (await browser.get("/api/v1/users/me")).body);
  const open = () => server.handle(new Request(`http://localhost:3000${user.avatar.large}`));
  const shown = await open();
  expect([shown.status, shown.headers.get("content-type")]).toEqual([200, "image/webp"]);

  await s3.stop();
  const away = await open();
  expect([away.status, away.headers.get("retry-after")]).toEqual([503, "2"]);
  expect((await browser.get("/api/v1/users/me")).status).toBe(200);
});
