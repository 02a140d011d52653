import { describe, expect, test } from "bun:test";
import { mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Store } from "#src/base/store.ts";
import { createStore } from "#src/people/storage/create-store.ts";
import { readStorageAddress } from "#src/settings/storage-address.ts";
import { afterFile } from "#tests/support/after-file.ts";
import { refusalOf } from "#tests/support/refusals.ts";
import { s3Key, startS3Server } from "#tests/support/s3-server.ts";

const dataDir = mkdtempSync(path.join(tmpdir(), "called-it-store-"));
const noKeys = { dataDir, accessKeyId: undefined, secretAccessKey: undefined };
const PICTURE = new Uint8Array([0, 1, 2, 255, 254, 10, 13]);

const s3 = startS3Server();
afterFile(async () => {
  await s3.stop();
  rmSync(dataDir, { recursive: true });
});

function storeAt(setting: string): Store {
  const address = readStorageAddress(setting, noKeys);
  if (address === null) throw new Error("the address cannot be read");
  return createStore(address);
}

for (const [name, open] of [
  ["a folder", () => storeAt("disk")],
  ["a bucket", () => storeAt(s3.address)],
] as const) {
  describe(`in ${name}`, () => {
    test("returns the stored bytes until they are removed", async () => {
      const store = open();
      await store.put("abcd1", PICTURE, "image/png");
      expect(await store.get("abcd1")).toEqual(Buffer.from(PICTURE));
      await store.put("abcd1", new Uint8Array([7]), "image/png");
      expect([...((await store.get("abcd1")) ?? [])]).toEqual([7]);
      await store.remove("abcd1");
      expect(await store.get("abcd1")).toBeNull();
    });

    test("a missing key reads as null, and removing it succeeds", async () => {
      expect(await open().get("nothing")).toBeNull();
      await open().remove("nothing");
    });
  });
}

test("the folder's files are private to their owner, and a failed write leaves no file", async () => {
  await storeAt("disk").put("wxyz9", PICTURE, "image/png");
  const folder = path.join(dataDir, "storage/wx/yz");
  expect(readdirSync(folder)).toEqual(["wxyz9"]);
  expect(statSync(path.join(folder, "wxyz9")).mode & 0o077).toBe(0);
});

test("an object has its prefix and type in the bucket", async () => {
  await storeAt(s3.address).put("efgh2", PICTURE, "image/webp");
  expect(s3.objects.get("uploads/kept/efgh2")).toEqual({ bytes: PICTURE, contentType: "image/webp" });
});

test("a wrong key can neither write to nor read from a bucket", async () => {
  const before = s3.objects.size;
  const refusals = s3.refusals();
  const store = storeAt(s3.address.replace(encodeURIComponent(s3Key.secret), "wrong"));
  for (const operation of [store.put("ijkl3", PICTURE, "image/png"), store.get("efgh2")]) {
    expect(await operation.then(() => "granted").catch(() => "refused")).toBe("refused");
  }
  expect(s3.objects.size).toBe(before);
  expect(s3.refusals()).toBeGreaterThanOrEqual(refusals + 2);
});

test("an unavailable service is a 503, not a 500", async () => {
  const gone = startS3Server();
  await gone.stop();
  expect(await refusalOf(storeAt(gone.address).get("abcd1"))).toMatchObject({ status: 503 });
});

test("keys may come from the environment; without keys the setting is refused", () => {
  const setting = "s3://s3.eu-west-1.amazonaws.com/bucket?region=eu-west-1";
  expect(readStorageAddress(setting, noKeys)).toBeNull();
  expect(readStorageAddress("s3://key:secret@host", noKeys)).toBeNull();
  expect(readStorageAddress("s3://id:50%25@host/b?tls=off", noKeys)).toMatchObject({
    endpoint: "http://host",
    secretAccessKey: "50%",
  });
  expect(readStorageAddress(setting, { dataDir, accessKeyId: "id", secretAccessKey: "secret" })).toEqual({
    kind: "s3",
    endpoint: "https://s3.eu-west-1.amazonaws.com",
    bucket: "bucket",
    prefix: "",
    region: "eu-west-1",
    accessKeyId: "id",
    secretAccessKey: "secret",
  });
});
