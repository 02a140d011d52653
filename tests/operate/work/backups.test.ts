import { expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import path from "node:path";
import { audit } from "#db/schema/audit.ts";
import { BACKUP_ACTION, BACKUP_FAILED_ACTION, findBackupTrouble } from "#src/operate/work/backups.ts";
import { runCommand } from "#tests/run/command.ts";
import { afterTest } from "#tests/support/after-file.ts";
import { testDeps } from "#tests/support/deps.ts";
import { makeDataFolder } from "#tests/support/product-process.ts";

const deps = await testDeps();
const HOUR_MS = 3_600_000;
const REASON = "No space is left.";

/** What is said after these backups, which are taken back. */
async function saidAfter(...backups: { hoursAgo: number; failed?: true }[]) {
  let said: unknown = "nothing was asked";
  const asked = deps.pool.db.transaction(async (tx) => {
    for (const { hoursAgo, failed } of backups) {
      await tx.insert(audit).values({
        action: failed === undefined ? BACKUP_ACTION : BACKUP_FAILED_ACTION,
        subjectType: "process",
        subjectId: 0,
        reason: failed === undefined ? null : REASON,
        createdAt: new Date(Date.now() - hoursAgo * HOUR_MS),
      });
    }
    said = await findBackupTrouble(tx);
    tx.rollback();
  });
  await asked.catch(() => undefined);
  return said;
}

test("nothing is said where nobody makes backups, while they are made, and after they were given up", async () => {
  expect(await saidAfter()).toBeNull();
  expect(await saidAfter({ hoursAgo: 49 }, { hoursAgo: 25 })).toBeNull();
  expect(await saidAfter({ hoursAgo: 55 }, { hoursAgo: 31.5 })).toEqual({
    state: "old",
    said: "The last good one is 31 h old.",
  });
  expect(await saidAfter({ hoursAgo: 15 * 24 })).toBeNull();
});

test("a backup that failed is said with its reason and the age of the last good one, until one is written", async () => {
  const failed = true;
  expect(await saidAfter({ hoursAgo: 1, failed })).toEqual({
    state: "failed",
    said: "No space is left. There is no good one.",
  });
  expect(await saidAfter({ hoursAgo: 25.5 }, { hoursAgo: 1, failed })).toEqual({
    state: "failed",
    said: "No space is left. The last good one is 25 h old.",
  });
  expect(await saidAfter({ hoursAgo: 2, failed }, { hoursAgo: 1 })).toBeNull();
});

test("the command of each night records what it did; a backup by hand is nobody's concern", async () => {
  const { dataDir: folder, remove } = makeDataFolder();
  afterTest(remove);
  const settings = { DATABASE_URL: deps.env.databaseUrl, DATA_DIR: folder };
  const backUp = (file: string, ...options: string[]) =>
    runCommand(["backup", path.join(folder, file), ...options], settings);
  const taken = path.join(folder, "taken");
  writeFileSync(taken, "of another night");
  expect((await backUp("taken")).code).toBe(1);
  expect(await findBackupTrouble(deps.pool.db)).toBeNull();
  expect((await backUp("taken", "--nightly")).code).toBe(1);
  expect(await findBackupTrouble(deps.pool.db)).toMatchObject({
    state: "failed",
    said: expect.stringContaining("taken"),
  });
  expect(await backUp("good", "--nightly", "--rows")).toMatchObject({ code: 0 });
  expect(await findBackupTrouble(deps.pool.db)).toBeNull();
});
