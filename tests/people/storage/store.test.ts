import { beforeEach, describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { explainError } from "#src/base/describe-error.ts";
import type { Store } from "#src/base/store.ts";
import { createStore } from "#src/people/storage/create-store.ts";
import { readStorageAddress } from "#src/settings/storage-address.ts";
import { messageOf } from "#tests/backup/restored.ts";
import { afterFile } from "#tests/support/after-file.ts";
import { problem, s3Key, startS3Server } from "#tests/support/s3-server.ts";
import { waitFor } from "#tests/support/wait-for.ts";
import { refusalOf } from "#tests/support/world.ts";

const dataDir = mkdtempSync(path.join(tmpdir(), "called-it-store-"));
const folder = path.join(dataDir, "storage");
const noKeys = { dataDir, accessKeyId: undefined, secretAccessKey: undefined };
const PICTURE = new Uint8Array([0, 1, 2, 255, 254, 10, 13]);
/** A key as the program makes them, that begins like this. */
const keyOf = (start: string) => start.padEnd(40, "0");

const operationsOn = (store: Store, key: string) => [
  () => store.put(key, PICTURE, "image/png"),
  () => store.get(key),
  () => store.remove(key),
];

const s3 = startS3Server();
afterFile(async () => {
  await s3.stop();
  rmSync(dataDir, { recursive: true });
});
beforeEach(() => s3.refuse(null));

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
    const key = keyOf("abcd1");

    test("returns the stored bytes until they are removed", async () => {
      const store = open();
      await store.put(key, PICTURE, "image/png");
      expect(await store.get(key)).toEqual(Buffer.from(PICTURE));
      await store.put(key, new Uint8Array([7]), "image/png");
      expect([...((await store.get(key)) ?? [])]).toEqual([7]);
      await store.remove(key);
      expect(await store.get(key)).toBeNull();
    });

    test("a missing key reads as null, and removing it succeeds", async () => {
      expect(await open().get(keyOf("e"))).toBeNull();
      await open().remove(keyOf("e"));
    });

    test("a key that the program has not made is refused, and nothing is written, read or removed", async () => {
      const store = open();
      await store.put(key, PICTURE, "image/png");
      const before = [readdirSync(dataDir, { recursive: true }), s3.objects.size, s3.refusals()];
      const foreign = [
        "../../../outside",
        "/etc/passwd",
        `${key}/../x`,
        `other/${key}`,
        `${key}\0.png`,
        key.slice(1),
      ];
      for (const each of [...foreign, key.toUpperCase(), `${key} `, `${key}\n`, "", ".", "%2e%2e%2f"]) {
        for (const operation of operationsOn(store, each))
          expect([each, await messageOf(operation())]).toEqual([
            each,
            expect.stringContaining("none of this storage"),
          ]);
      }
      expect([readdirSync(dataDir, { recursive: true }), s3.objects.size, s3.refusals()]).toEqual(before);
      expect(await store.get(key)).toEqual(Buffer.from(PICTURE));
    });
  });
}

test("the folder's files are private to their owner, and a failed write leaves no file", async () => {
  const key = keyOf("aabb9");
  await storeAt("disk").put(key, PICTURE, "image/png");
  const inner = path.join(folder, "aa/bb");
  expect(readdirSync(inner)).toEqual([key]);
  expect(statSync(path.join(inner, key)).mode & 0o077).toBe(0);
});

test("links in the folder lead nowhere, and a folder that is a link itself is used", async () => {
  const outside = path.join(dataDir, "outside");
  mkdirSync(path.join(outside, "dd"), { recursive: true });
  const secret = path.join(outside, "secret");
  await Bun.write(secret, "not a picture");
  mkdirSync(path.join(folder, "ee/ee"), { recursive: true });
  symlinkSync(outside, path.join(folder, "dd"));
  symlinkSync(outside, path.join(folder, "ee/dd"));
  symlinkSync(secret, path.join(folder, "ee/ee", keyOf("eeee")));
  const store = storeAt("disk");
  for (const key of [keyOf("ddee"), keyOf("dddd"), keyOf("eedd")]) {
    for (const operation of operationsOn(store, key))
      expect(await refusalOf(operation())).toMatchObject({ status: 503 });
  }
  expect(await refusalOf(store.get(keyOf("eeee")))).toMatchObject({ status: 503 });
  // A write replaces the link, and a removal removes it.
  await store.put(keyOf("eeee"), PICTURE, "image/png");
  await store.remove(keyOf("eeee"));
  expect(new Set(readdirSync(outside))).toEqual(new Set(["dd", "secret"]));
  expect(readdirSync(path.join(outside, "dd"))).toEqual([]);
  expect(await Bun.file(secret).text()).toBe("not a picture");

  const linked = path.join(dataDir, "linked");
  symlinkSync(outside, linked);
  const elsewhere = createStore({ kind: "disk", folder: linked });
  await elsewhere.put(keyOf("f"), PICTURE, "image/png");
  expect(existsSync(path.join(outside, "f0/00", keyOf("f")))).toBe(true);
});

const wrong: [what: string, answer: () => Response, said: RegExp][] = [
  ["denies access", () => problem(403, "AccessDenied"), /403 AccessDenied[^]+needs the rights/],
  [
    "has another clock",
    () => problem(403, "RequestTimeTooSkewed"),
    /clocks of this machine and of the storage differ/,
  ],
  [
    "finds a signed address too old",
    () => problem(403, "AccessDenied", "Request has expired"),
    /clocks of this machine/,
  ],
  ["is of another region", () => problem(301, "PermanentRedirect"), /in another region/],
  ["does not exist", () => problem(404, "NoSuchBucket"), /Create the bucket/],
  ["is busy", () => problem(503, "SlowDown"), /503 SlowDown/],
  ["is a web page", () => page(200), /answers 200, and not as S3 does[^]+Correct the host/],
  ["is a web page that finds nothing", () => page(404), /answers 404, and not as S3 does/],
  ["redirects to a page", () => Response.redirect("https://login.example/", 302), /answers 302, and not/],
];
const page = (status: number) =>
  new Response("<!doctype html><title>Sign in</title>", {
    status,
    headers: { "content-type": "text/html; charset=utf-8", etag: '"page"' },
  });

test.each(wrong)(
  "a bucket that %s is a 503, loses nothing, and operators read why",
  async (_what, answer, said) => {
    const store = storeAt(s3.address);
    const key = keyOf("abe");
    await store.put(key, PICTURE, "image/png");
    s3.refuse({ answer });
    for (const operation of operationsOn(store, key))
      expect(await refusalOf(operation())).toMatchObject({ status: 503, details: { retryAfterSeconds: 2 } });
    expect(explainError(store.trouble())).toMatch(said);
    s3.refuse(null);
    expect(await store.get(key)).toEqual(Buffer.from(PICTURE));
  },
);

test.each([0, 1, 2])(
  "what has failed is asked again until it works, and only then all is well (%i)",
  async (index) => {
    const store = storeAt(s3.address);
    const key = keyOf("abf");
    const method = ["PUT", "GET", "DELETE"][index] ?? "";
    const about = method === "GET" ? key : "";
    s3.refuse({ method, about, answer: () => problem(403, "AccessDenied") });
    expect(await refusalOf(operationsOn(store, key)[index]?.() ?? Promise.resolve())).toMatchObject({
      status: 503,
    });
    s3.refuse({ method, about, answer: () => problem(503, "SlowDown") });
    await waitFor("the same question", () => explainError(store.trouble()).includes("SlowDown"));
    s3.refuse(null);
    await waitFor("the answer", () => store.trouble() === null);
  },
);

test("a bucket that denies everything is found before anybody asks for a picture, and one that only hides what is not there is well", async () => {
  const hiding = startS3Server(() => problem(403, "AccessDenied"));
  afterFile(hiding.stop);
  const store = storeAt(hiding.address);
  const isStored = () => hiding.objects.size > 0;
  expect(await waitFor("the look", () => (store.trouble() === null ? isStored() : "trouble"))).toBe(true);
  hiding.refuse({ answer: () => problem(403, "AccessDenied") });
  await waitFor("the trouble", () => explainError(store.trouble()).includes("needs the rights"));
  hiding.refuse(null);
  await waitFor("the end of the trouble", () => store.trouble() === null);
});

test("a wrong key can neither write to nor read from a bucket, and is found before anybody uploads something", async () => {
  const before = s3.objects.size;
  const refusals = s3.refusals();
  const store = storeAt(s3.address.replace(encodeURIComponent(s3Key.secret), "wrong"));
  await waitFor("the trouble", () => store.trouble() !== null);
  expect(explainError(store.trouble())).toContain("does not know this key");
  for (const operation of operationsOn(store, keyOf("efab2")))
    expect(await refusalOf(operation())).toMatchObject({ status: 503 });
  expect(s3.objects.size).toBe(before);
  expect(s3.refusals()).toBeGreaterThanOrEqual(refusals + 2);
});

test("an unavailable service is a 503, not a 500", async () => {
  const gone = startS3Server();
  await gone.stop();
  expect(await refusalOf(storeAt(gone.address).get(keyOf("a")))).toMatchObject({ status: 503 });
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
