import { beforeEach, expect, test } from "bun:test";
import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { newBackup, readBackupAddress } from "#src/backup/places.ts";
import { streamParts } from "#src/base/stream-parts.ts";
import { findBackupTrouble, findLastBackup } from "#src/operate/work/backups.ts";
import { runCommand } from "#tests/run/command.ts";
import { afterFile, makeFileFolder } from "#tests/support/after-file.ts";
import { testDatabase } from "#tests/support/database.ts";
import { problem, s3Key, startS3Server } from "#tests/support/s3-server.ts";
import { untilPasses, waitFor } from "#tests/support/wait-for.ts";
import { testWorld } from "#tests/support/world.ts";
import { messageOf, readEverything } from "./restored.ts";

// Backups leave the machine: they are written to a bucket, the newest stay there, and they come back from it.

const folder = makeFileFolder();
const { deps, db, build } = await testWorld();
const event = await build.event("open");
await build.call({ userId: (await build.player()).id, eventId: event.id });

const bucket = startS3Server();
afterFile(() => bucket.stop());
const noKeys = { accessKeyId: undefined, secretAccessKey: undefined };
const shown = bucket.address.replace(/\/\/[^@]+@/, "//").replace(/\?.*/, "/");
const external = { DATABASE_URL: deps.env.databaseUrl, DATA_DIR: path.join(folder, "data") };
const nightly = { ...external, BACKUP_TO: bucket.address };
const backUp = (words: string[], settings: Record<string, string>) =>
  runCommand(["backup", ...words], settings);
async function* inOrder(parts: readonly Uint8Array[]) {
  yield* parts;
}
const names = () => [...bucket.objects.keys()].toSorted();

/** What the backups of other nights are called here. */
const nights = ["2026-01-01-043000", "2026-01-02-043000"].map((moment) => `uploads/kept/${moment}.backup`);
const others = ["uploads/kept/of-others.txt", "uploads/kept/2026-01-01-043000.backup.old"];

beforeEach(() => {
  bucket.refuse(null);
  bucket.objects.clear();
  for (const name of [...nights, ...others])
    bucket.objects.set(name, { bytes: new Uint8Array(), contentType: "" });
});

test("each night one goes to the bucket, so many stay, and nothing that others have put there is removed", async () => {
  const first = await backUp([], { ...nightly, BACKUP_KEEP: "2" });
  expect(first.output).not.toContain(encodeURIComponent(s3Key.secret));
  expect(first.output).toContain(`Removed ${nights[0]?.slice("uploads/kept/".length)}: 2 are kept.`);
  expect(first.code).toBe(0);
  const kept = names().filter((name) => ![...others, nights[1]].includes(name));
  expect(kept).toEqual([expect.stringMatching(/^uploads\/kept\/\d{4}-\d\d-\d\d-\d{6}\.backup$/)]);
  expect(names()).toEqual([...others, nights[1] ?? "", ...kept].toSorted());
  const place = `${shown}${kept[0]?.slice("uploads/kept/".length)}`;
  expect(await findLastBackup(db)).toEqual({ at: expect.stringMatching(/Z$/), place });
  expect(await findBackupTrouble(db)).toBeNull();
  expect(bucket.uploads.size).toBe(0);
});

test("the new one stays, also if a clock was ahead when another got its name", async () => {
  const ahead = "uploads/kept/2999-01-01-043000.backup";
  bucket.objects.set(ahead, { bytes: new Uint8Array(), contentType: "" });
  expect((await backUp([], { ...nightly, BACKUP_KEEP: "1" })).code).toBe(0);
  expect(names().filter((name) => name.endsWith(".backup"))).toEqual([expect.not.stringContaining("2999")]);
});

test("while the bucket refuses nothing is removed, and operators read why and where the last good one is", async () => {
  const before = names();
  const [denied, busy] = [() => problem(403, "AccessDenied"), () => problem(503, "SlowDown")];
  for (const refused of [{ method: "PUT", answer: denied }, { answer: denied }, { answer: busy }]) {
    bucket.refuse(refused);
    const ran = await backUp([], { ...nightly, BACKUP_KEEP: "1" });
    expect([ran.code, names()]).toEqual([1, before]);
    expect(await findBackupTrouble(db)).toMatchObject({
      state: "failed",
      said: expect.stringMatching(
        /the bucket answers (AccessDenied|SlowDown)[^]*The last good one is 0 h old: s3:/,
      ),
    });
  }
});

test("a backup that cannot be read back is none: it is removed, the oldest stay, and the failure is told", async () => {
  const before = names();
  // All but the listing: a read of what was written.
  bucket.refuse({ method: "GET", about: ".backup", answer: () => problem(403, "AccessDenied") });
  expect((await backUp([], { ...nightly, BACKUP_KEEP: "1" })).code).toBe(1);
  expect(names()).toEqual(before);
  bucket.refuse({
    method: "GET",
    about: ".backup",
    answer: () => new Response("not what was written", { headers: { etag: '"x"' } }),
  });
  expect((await backUp([], { ...nightly, BACKUP_KEEP: "1" })).code).toBe(1);
  expect(names()).toEqual(before);
  expect(await findBackupTrouble(db)).toMatchObject({ state: "failed" });
});

test("the oldest that cannot be removed are told, and the new one is the last good one", async () => {
  bucket.refuse({ method: "DELETE", answer: () => problem(403, "AccessDenied") });
  expect((await backUp([], { ...nightly, BACKUP_KEEP: "1" })).code).toBe(1);
  expect(names()).toHaveLength(nights.length + others.length + 1);
  expect(await findBackupTrouble(db)).toMatchObject({
    said: expect.stringMatching(/AccessDenied[^]*is 0 h old: s3:/),
  });
});

test("an upload that is cut is no object, and nothing of it stays in the bucket", async () => {
  const before = names();
  const goOn = Promise.withResolvers<void>();
  const cut = async function* () {
    // More than a part.
    for (let sent = 0; sent < 40; sent += 1) yield new Uint8Array(1_048_576);
    await goOn.promise;
    throw new Error("the database is away");
  };
  const writing = messageOf(newBackup(readBackupAddress(bucket.address, noKeys)).write(streamParts(cut())));
  await waitFor("the upload", () => bucket.uploads.size === 1);
  goOn.resolve();
  expect(await writing).toBe("the database is away");
  await untilPasses(() => expect(bucket.uploads.size).toBe(0));
  expect(names()).toEqual(before);
});

test("a large backup goes in parts, is never replaced, and comes back byte by byte", async () => {
  const address = readBackupAddress(bucket.address.replace("?", "/large.backup?"), noKeys);
  const stored = newBackup(address);
  const parts = Array.from({ length: 40 }, (_, number) => new Uint8Array(1_048_576).fill(number));
  expect(await stored.write(streamParts(inOrder(parts)))).toBe(40 * 1_048_576);
  expect(Buffer.from(await new Response(stored.bytes.stream()).bytes()).equals(Buffer.concat(parts))).toBe(
    true,
  );
  expect(await messageOf(stored.write(streamParts(inOrder(parts))))).toMatch(/large\.backup exists already/);
});

test("a restore takes the newest of the bucket, or the one that is named", async () => {
  const named = bucket.address.replace("?", "/before-the-show.backup?");
  expect((await backUp([named], external)).code).toBe(0);
  for (const words of [[], [named]]) {
    if (words.length === 0) expect((await backUp([], { ...nightly, BACKUP_KEEP: "9" })).code).toBe(0);
    const target = await testDatabase({ empty: true });
    const settings = {
      DATABASE_URL: target.url,
      DATA_DIR: path.join(folder, `from-${words.length}`),
      BACKUP_TO: bucket.address,
    };
    const restored = await runCommand(["restore", ...words], { ...settings, SECRET_KEY: deps.env.secretKey });
    expect(restored).toMatchObject({
      code: 0,
      output: expect.stringMatching(
        /The books and the scores agree\.[\s\S]*\nBreaks and limits of players from after \S+ are not in it/,
      ),
    });
    const [own, copy] = [await readEverything(db), await readEverything(target.pool.db)];
    expect(copy["calls"]).toBe(own["calls"]);
    expect(copy["journal"]).toBe(own["journal"]);
  }
  bucket.objects.clear();
  for (const words of [[], [named]]) {
    expect(await runCommand(["restore", ...words], nightly)).toMatchObject({
      code: 1,
      output: expect.stringMatching(/There is no (backup in|file) s3:.*Nothing was written/),
    });
  }
});

test("a bucket that says nothing is given up, before an upload and in the middle of one", async () => {
  const { write } = newBackup(readBackupAddress(bucket.address, noKeys, 500));
  for (const method of ["GET", "PUT"]) {
    bucket.refuse({ method, answer: () => new Promise(() => undefined) });
    expect(await messageOf(write(streamParts(inOrder([new Uint8Array(9)]))))).toMatch(
      /the bucket does not answer/,
    );
  }
  expect(names()).toEqual([...nights, ...others].toSorted());
});

test("a folder keeps as many, and one that is not there is refused and told", async () => {
  const to = path.join(folder, "nightly");
  const settings = { ...external, BACKUP_TO: to, BACKUP_KEEP: "1" };
  expect(await backUp([], settings)).toMatchObject({
    code: 1,
    output: expect.stringContaining("Create the folder"),
  });
  expect(await findBackupTrouble(db)).toMatchObject({ said: expect.stringContaining("Create the folder") });
  mkdirSync(to);
  await Bun.write(path.join(to, "2026-01-01-043000.backup"), "old");
  await Bun.write(path.join(to, "letter"), "mine");
  expect((await backUp([], settings)).code).toBe(0);
  const [newest = ""] = readdirSync(to).filter((name) => name !== "letter");
  expect(readdirSync(to).toSorted()).toEqual([newest, "letter"].toSorted());
  expect(readFileSync(path.join(to, newest)).length).toBeGreaterThan(3);
  expect(await findLastBackup(db)).toMatchObject({ place: expect.stringContaining(`${to}/${newest} on `) });
});

test("an address that cannot be read is refused without its secret", async () => {
  const wrong = await backUp(["s3://key:hidden-secret@host"], external);
  expect(wrong.output).not.toContain("hidden-secret");
  expect(wrong.output).toMatch(/cannot be read.*Nothing was written/s);
  expect(wrong.code).toBe(1);
});

test("the doctor writes, reads, lists and removes a small file there, and says the cure of what is refused", async () => {
  const doctor = async (settings: Record<string, string> = nightly) =>
    (await runCommand(["doctor", "--backups"], settings)).output;
  const before = names();
  const said = await doctor();
  expect(said).toMatch(/^ok .*Backups/m);
  expect(said).not.toContain(encodeURIComponent(s3Key.secret));
  for (const method of ["PUT", "GET", "DELETE"]) {
    bucket.refuse({
      method,
      about: method === "GET" ? "" : ".tried",
      answer: () => problem(403, "AccessDenied"),
    });
    expect(await doctor()).toMatch(/^degraded .*Backups[^]*AccessDenied[^]*-> .*s3:PutObject/m);
    bucket.refuse(null);
  }
  // What could not be removed.
  expect(names().filter((name) => !before.includes(name))).toHaveLength(1);
  const [ofFolder, ofNone] = await Promise.all(
    [folder, `${folder}/none`].map((to) => doctor({ ...nightly, BACKUP_TO: to })),
  );
  expect(ofFolder).toMatch(/^ok /m);
  expect(readdirSync(folder).filter((name) => name.startsWith(".tried"))).toEqual([]);
  expect(ofNone).toMatch(/^degraded [^]*must be a folder that exists/m);
});
