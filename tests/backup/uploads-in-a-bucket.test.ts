import { expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import path from "node:path";
import { sql } from "drizzle-orm";
import { blobs } from "#db/schema/blobs.ts";
import { ENTRIES } from "#src/backup/manifest.ts";
import { type BackupFile, checkBackup, restoreBackup } from "#src/backup/restore-backup.ts";
import { writeBackup } from "#src/backup/write-backup.ts";
import type { Store } from "#src/base/store.ts";
import { createStore } from "#src/people/storage/create-store.ts";
import { md5Of } from "#src/people/storage/store-upload.ts";
import { afterFile, makeFileFolder } from "#tests/support/after-file.ts";
import { testDatabase } from "#tests/support/database.ts";
import { buildEnv, testDeps } from "#tests/support/deps.ts";
import { startS3Server } from "#tests/support/s3-server.ts";
import { craftBackup } from "./crafted.ts";
import { messageOf } from "./restored.ts";

// Uploads in a bucket (STORAGE=s3://...) are in a backup on request, and come back into a bucket or a folder.

const PICTURE = new TextEncoder().encode("the bytes of an upload");
const KEY = "0123456789abcdef0123456789abcdef01234567";

const bucket = startS3Server();
afterFile(() => bucket.stop());
const folder = makeFileFolder();
const deps = await testDeps({ STORAGE: bucket.address });
await deps.store.put(KEY, PICTURE, "image/png");
await deps.pool.db.insert(blobs).values({
  key: KEY,
  filename: "picture.png",
  contentType: "image/png",
  byteSize: PICTURE.length,
  checksum: md5Of(PICTURE),
  storedAt: sql`game_now()`,
});

let files = 0;
/** Writes a backup. @returns it, and the number of its uploads. */
async function backUp({ uploads }: { uploads: boolean }) {
  const file = path.join(folder, `backup-${++files}`);
  const said: string[] = [];
  await writeBackup(deps.env, {
    file,
    passphrase: null,
    uploads,
    secrets: false,
    say: (line) => said.push(line),
  });
  return { backup: { file, passphrase: null }, said };
}

async function restoreInto(store: Store, { backup }: Awaited<ReturnType<typeof backUp>>): Promise<void> {
  const target = await testDatabase({ empty: true, poolSize: 2 });
  await restoreBackup({
    backup,
    ...(await checkBackup(backup)),
    databaseUrl: target.url,
    store,
    keepSecretKey: () => undefined,
    say: () => undefined,
  });
  expect(await target.pool.db.$count(blobs)).toBe(1);
}

test("with uploads, a backup has the objects of the bucket, and brings them into another bucket or a folder", async () => {
  const written = await backUp({ uploads: true });
  expect(written.said).toContain("1 uploads");
  const other = startS3Server();
  const { storage } = await buildEnv(deps.env, { STORAGE: other.address });
  await restoreInto(createStore(storage), written);
  expect([...other.objects]).toEqual([...bucket.objects]);
  expect([...other.objects.values()]).toEqual([{ bytes: PICTURE, contentType: "image/png" }]);
  await other.stop();
  const onDisk = createStore({ kind: "disk", folder: path.join(folder, "storage") });
  await restoreInto(onDisk, written);
  expect(await onDisk.get(KEY)).toEqual(Buffer.from(PICTURE));
});

/** The same backup, by somebody who has given its upload another name. */
const withUploadNamed = (name: string, backup: BackupFile) =>
  craftBackup(backup, path.join(folder, `crafted-${++files}`), (entry) =>
    entry.name.startsWith(ENTRIES.uploads) ? { ...entry, name: `${ENTRIES.uploads}${name}` } : entry,
  );

test("a crafted backup is refused before anything is written, here or elsewhere", async () => {
  const { backup } = await backUp({ uploads: true });
  // The way of making one is right.
  await checkBackup(await withUploadNamed(KEY.replace("0", "f"), backup));
  const names = [
    "../../../outside",
    "/tmp/outside",
    `${KEY}/../../outside`,
    `other/${KEY}`,
    "",
    KEY.toUpperCase(),
  ];
  for (const name of names) {
    const crafted = await withUploadNamed(name, backup);
    const before = readdirSync(folder, { recursive: true });
    expect(await messageOf(checkBackup(crafted))).toMatch(/somebody else wrote it.*Nothing was written/);
    expect(readdirSync(folder, { recursive: true })).toEqual(before);
  }
});

test("while the bucket is away no backup is written, and after a failed restore no object is left", async () => {
  const written = await backUp({ uploads: true });
  const other = startS3Server();
  const { storage } = await buildEnv(deps.env, { STORAGE: other.address });
  // A database that is not empty refuses the rows, which come after the uploads.
  const target = await testDatabase({ poolSize: 2 });
  const refused = restoreBackup({
    backup: written.backup,
    ...(await checkBackup(written.backup)),
    databaseUrl: target.url,
    store: createStore(storage),
    keepSecretKey: () => undefined,
    say: () => undefined,
  });
  expect(await messageOf(refused)).toMatch(/already has tables/);
  expect(other.objects.size).toBe(0);
  await other.stop();

  await bucket.stop();
  const before = readdirSync(folder);
  expect(await messageOf(backUp({ uploads: true }))).not.toBe("");
  expect(readdirSync(folder)).toEqual(before);
});
