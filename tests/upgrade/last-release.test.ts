import { expect, test } from "bun:test";
import { connect, type DatabasePool } from "#db/client.ts";
import { APPLICATION_ROLE } from "#db/embedded/data-folder.ts";
import { COMPATIBLE_SINCE } from "#db/upgrade/compatible-since.ts";
import { readRelease } from "#db/upgrade/release.ts";
import { afterFile } from "#tests/support/after-file.ts";
import { createTestDatabase, testDatabase } from "#tests/support/database.ts";
import { listBreaks, listUnprepared, readLastContract, readOffer } from "./contract.ts";

// Decision: the last release is in the repository as what its processes use of a database: statements, columns, functions and rights,
// recorded when it was released. So this test sees all of them, and needs no history, no network and no second installation.
// `bun tests/proofs/machines/upgrade-in-turn.ts` starts all of its processes under load.
const last = readLastContract();
const database = await testDatabase();

/** The application's connections to a database of the tests. */
function asApplication(url: string): DatabasePool {
  const address = new URL(url);
  address.username = APPLICATION_ROLE;
  const pool = connect(address.toString(), { poolSize: 1 });
  afterFile(() => pool.close());
  return pool;
}

test("this release says that it is compatible with the last one, and comes after it", () => {
  expect(COMPATIBLE_SINCE).toBe(last.version);
  expect(Bun.semver.order(readRelease().version, last.version)).toBe(1);
});

test("every statement of the last release is one in this release's database too, and the application may send it", async () => {
  expect(last.statements.length).toBeGreaterThan(200);
  expect(await listUnprepared(asApplication(database.url), last.statements)).toEqual([]);
});

test("the last release finds its columns, functions and rights in this release's database", async () => {
  expect(listBreaks(last, await readOffer(database.pool.db, APPLICATION_ROLE))).toEqual([]);
});

test("what would break the last release is found", async () => {
  const changed = await createTestDatabase();
  await changed.pool.sql.unsafe(`
    ALTER TABLE mutes DROP COLUMN reason;
    ALTER TABLE mails ALTER COLUMN attempts TYPE bigint;
    ALTER TABLE mails ALTER COLUMN error SET NOT NULL;
    ALTER TABLE shares ADD COLUMN colour text NOT NULL;
    ALTER FUNCTION check_fence RENAME TO check_fence_now;
    REVOKE DELETE ON notifications FROM ${APPLICATION_ROLE}`);
  expect(listBreaks(last, await readOffer(changed.pool.db, APPLICATION_ROLE))).toEqual([
    "the column mails attempts was integer and is bigint",
    "the column mails error must be named now",
    "the column mutes reason is gone",
    "the new column shares colour must be named",
    "the function check_fence(text,bigint,bigint) is gone",
    "the right mutes reason INSERT is gone",
    "the right mutes reason SELECT is gone",
    "the right notifications DELETE is gone",
  ]);
  const unprepared = await listUnprepared(asApplication(changed.url), last.statements);
  expect(unprepared.map(({ reason }) => reason)).toContain(
    'column "reason" of relation "mutes" does not exist',
  );
  expect(unprepared.map(({ reason }) => reason)).toContain("permission denied for table notifications");
  await changed.drop();
});
