import { expect, test } from "bun:test";
import { existsSync, readFileSync, readdirSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { sql } from "drizzle-orm";
import { blobs } from "#db/schema/blobs.ts";
import { migrate } from "#db/upgrade/migrate.ts";
import { readRelease } from "#db/upgrade/release.ts";
import { readState } from "#db/upgrade/state.ts";
import { encrypt } from "#src/backup/encrypted.ts";
import { ENTRIES } from "#src/backup/manifest.ts";
import { type BackupFile, checkBackup, restoreBackup } from "#src/backup/restore-backup.ts";
import { type BackupPlan, writeBackup } from "#src/backup/write-backup.ts";
import { runChecks } from "#src/books/run-checks.ts";
import { sealNewJournals } from "#src/books/seal-new-journals.ts";
import { createStore } from "#src/people/storage/create-store.ts";
import { md5Of } from "#src/people/storage/store-upload.ts";
import { readCatalog } from "#tests/database/catalog.ts";
import { makeFileFolder } from "#tests/support/after-file.ts";
import { createTestDatabase, type TestDatabase, testDatabase } from "#tests/support/database.ts";
import { testWorld } from "#tests/support/world.ts";
import { craftBackup, withDump } from "./crafted.ts";
import { messageOf, readEverything } from "./restored.ts";

// Each guess of a passphrase takes a second on purpose; here it takes a millisecond.
const WORK_FACTOR = 8;
const PASSPHRASE = "a passphrase of the tests";
const PICTURE = new TextEncoder().encode("the bytes of an upload");

const folder = makeFileFolder();
const { deps, db, build, timer } = await testWorld();
const player = await build.player();
const resolved = await build.event("open");
await build.call({ userId: player.id, eventId: resolved.id });
await build.call({ userId: (await build.player()).id, eventId: resolved.id });
await timer.settle(resolved.id);
// Letters that COPY has to escape.
const open = await build.event("open", { description: 'tab\tbackslash\\N"é🎲' });
await build.call({ userId: player.id, eventId: open.id });
const KEY = "0123456789abcdef0123456789abcdef01234567";
await deps.store.put(KEY, PICTURE, "image/png");
await db.insert(blobs).values({
  key: KEY,
  filename: "picture.png",
  contentType: "image/png",
  byteSize: PICTURE.length,
  checksum: md5Of(PICTURE),
  storedAt: sql`game_now()`,
});

let files = 0;
async function backUp(plan: Partial<BackupPlan> = {}): Promise<BackupFile> {
  const file = path.join(folder, `backup-${++files}`);
  const whole = {
    file,
    passphrase: null,
    uploads: true,
    secrets: false,
    workFactor: WORK_FACTOR,
    say: () => undefined,
    ...plan,
  };
  await writeBackup(deps.env, whole);
  return { file, passphrase: whole.passphrase };
}

async function restore(
  backup: BackupFile,
  url: string,
  storage = path.join(folder, "storage"),
): Promise<string[]> {
  const secrets: string[] = [];
  await restoreBackup({
    backup,
    ...(await checkBackup(backup)),
    databaseUrl: url,
    store: createStore({ kind: "disk", folder: storage }),
    keepSecretKey: (key) => secrets.push(key),
    say: () => undefined,
  });
  return secrets;
}

const emptyDatabase = () => testDatabase({ empty: true, poolSize: 2 });
const hasTables = async ({ pool }: TestDatabase) =>
  (await readState(pool.db, readRelease())).isEmpty === false;

test("a restored database has the same rows, sequences, functions and triggers, and its books and their seals agree", async () => {
  const target = await emptyDatabase();
  await sealNewJournals(deps);
  await restore(await backUp(), target.url);
  expect(await readEverything(target.pool.db)).toEqual(await readEverything(db));
  expect(await readCatalog(target.pool)).toEqual(await readCatalog(deps.pool));
  expect((await runChecks(target.pool.db)).filter(({ bad }) => bad !== 0)).toEqual([]);
  // No later transaction can be taken for the one that booked a restored journal.
  const [row] = await target.pool
    .sql`SELECT count(*)::int AS open FROM journal WHERE tx >= pg_current_xact_id()`;
  expect(row).toEqual({ open: 0 });
  await migrate(target.url);
  expect(await readEverything(target.pool.db)).toEqual(await readEverything(db));
});

test("a backup is of one moment, also while players go on", async () => {
  const players = await Promise.all(Array.from({ length: 5 }, () => build.player()));
  let playing = true;
  const calls = players.map(async ({ id }) => {
    while (playing) await build.call({ userId: id, eventId: open.id, wagerCents: 1 }).catch(() => undefined);
  });
  const target = await emptyDatabase();
  const backup = await backUp();
  playing = false;
  await Promise.all(calls);
  await restore(backup, target.url);
  expect((await runChecks(target.pool.db)).filter(({ bad }) => bad !== 0)).toEqual([]);
});

test("an encrypted backup has uploads and the secret key, shows nothing of them, and opens with its passphrase only", async () => {
  const backup = await backUp({ passphrase: PASSPHRASE, secrets: true });
  const bytes = readFileSync(backup.file);
  expect(bytes.subarray(0, 21).toString()).toBe("age-encryption.org/v1");
  expect(bytes.includes(deps.env.secretKey)).toBe(false);
  expect(statSync(backup.file).mode & 0o077).toBe(0);
  const target = await emptyDatabase();
  for (const passphrase of ["another passphrase", null]) {
    expect(await messageOf(restore({ ...backup, passphrase }, target.url))).toMatch(/Nothing was written/);
  }
  expect(await hasTables(target)).toBe(false);
  const storage = path.join(folder, "opened");
  expect(await restore(backup, target.url, storage)).toEqual([deps.env.secretKey]);
  expect(await createStore({ kind: "disk", folder: storage }).get(KEY)).toEqual(Buffer.from(PICTURE));
}, 180_000);

test("by default a guess of the passphrase costs 2^18 steps of scrypt", async () => {
  const stream = new Response("short").body;
  if (stream === null) throw new Error("a response with a text has a body");
  const encrypted = await new Response(await encrypt(stream, { passphrase: PASSPHRASE })).text();
  expect(encrypted.split("\n")[1]).toMatch(/^-> scrypt [\w+/]{22} 18$/);
  expect(deps.env.backupWorkFactor).toBe(18);
}, 180_000);

test("secrets are not written without encryption, and an existing file is not replaced", async () => {
  const file = path.join(folder, "secrets");
  expect(await messageOf(backUp({ file, secrets: true }))).toMatch(/only into an encrypted backup/);
  expect(existsSync(file)).toBe(false);
  writeFileSync(file, "mine");
  expect(await messageOf(backUp({ file }))).toMatch(/exists already/);
  expect(readFileSync(file, "utf8")).toBe("mine");
  expect(readdirSync(folder).filter((name) => name.endsWith(".partial"))).toEqual([]);
});

for (const [kind, passphrase] of [
  ["plain", null],
  ["encrypted", PASSPHRASE],
] as const) {
  test(`a cut-off or changed ${kind} backup is refused before anything is written`, async () => {
    const backup = await backUp({ passphrase });
    const whole = readFileSync(backup.file);
    const target = await emptyDatabase();
    const storage = path.join(folder, `never-${kind}`);
    const positions = [0.1, 0.5, 0.9].map((part) => Math.floor(whole.length * part));
    const damagedFiles = [
      ...positions.map((at) => whole.subarray(0, at)),
      whole.subarray(0, whole.length - 1),
      ...positions.map((at) => whole.with(at, (whole[at] ?? 0) ^ 1)),
    ];
    for (const bytes of damagedFiles) {
      const file = path.join(folder, "damaged");
      writeFileSync(file, bytes);
      expect(await messageOf(restore({ ...backup, file }, target.url, storage))).toMatch(
        /Nothing was written/,
      );
    }
    expect(await hasTables(target)).toBe(false);
    expect(existsSync(storage)).toBe(false);
  }, 60_000);
}

test("a file that is no backup is refused", async () => {
  const file = path.join(folder, "letter");
  writeFileSync(file, "Dear all");
  expect(await messageOf(checkBackup({ file, passphrase: null }))).toMatch(/is not a backup of Called It/);
});

test("a backup of release 0.3.0 by pg_dump is refused with the way to restore it, and nothing is written", async () => {
  const dump = await craftBackup(await backUp(), path.join(folder, "dump"), withDump);
  const target = await emptyDatabase();
  const storage = path.join(folder, "no-dump");
  expect(await messageOf(restore(dump, target.url, storage))).toMatch(
    /dump by pg_dump.*Restore it with release 0\.3\.0.*deploy\/backup\.md.*Nothing was written/,
  );
  expect(await hasTables(target)).toBe(false);
  expect(existsSync(storage)).toBe(false);
});

test("rows that Postgres does not take leave the database empty, and its own words are said", async () => {
  const wrong = new TextEncoder().encode("no row of this table\n".repeat(100_000));
  const crafted = await craftBackup(await backUp(), path.join(folder, "wrong"), (entry) =>
    entry.name.startsWith(`${ENTRIES.rows}users/`) ? { ...entry, bytes: wrong } : entry,
  );
  const target = await emptyDatabase();
  expect(await messageOf(restore(crafted, target.url))).toMatch(/invalid input syntax/);
  expect(await hasTables(target)).toBe(false);
});

test("a database that has tables is refused, and nothing changes in it or in the storage", async () => {
  const backup = await backUp();
  const target = await testDatabase({ poolSize: 2 });
  const before = await readEverything(target.pool.db);
  const storage = path.join(folder, "filled");
  expect(await messageOf(restore(backup, target.url, storage))).toMatch(
    /already has tables.*Nothing was changed/,
  );
  expect(await readEverything(target.pool.db)).toEqual(before);
  const left = existsSync(storage) ? readdirSync(storage, { recursive: true, withFileTypes: true }) : [];
  expect(left.filter((entry) => entry.isFile())).toEqual([]);
});

test("a backup of a newer release is refused, and one that lacks migrations is brought up to date", async () => {
  const newer = await createTestDatabase({ poolSize: 2 });
  await newer.pool.db.execute(
    sql`INSERT INTO drizzle.__drizzle_migrations (hash, created_at) VALUES ('later', 9999999999999)`,
  );
  const older = await createTestDatabase({ empty: true, poolSize: 2 });
  const release = readRelease();
  const migrations = release.migrations.slice(0, -1);
  await migrate(older.url, { release: { ...release, migrations, afterTables: [] } });
  const target = await emptyDatabase();
  const backupOf = async ({ url }: TestDatabase, name: string) => {
    const file = path.join(folder, name);
    const plan = { file, passphrase: null, uploads: false, secrets: false, say: () => undefined };
    await writeBackup({ ...deps.env, ownerDatabaseUrl: url }, plan);
    return { file, passphrase: null };
  };
  expect(await messageOf(restore(await backupOf(newer, "newer"), target.url))).toMatch(/of a newer release/);
  expect(await hasTables(target)).toBe(false);
  await restore(await backupOf(older, "older"), target.url);
  expect(await readCatalog(target.pool)).toEqual(await readCatalog(deps.pool));
  await Promise.all([newer.drop(), older.drop()]);
});
