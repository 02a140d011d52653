import { expect, test } from "bun:test";
import { writeFileSync, readFileSync } from "node:fs";
import path from "node:path";
import { SQL } from "bun";
import { connect } from "#db/client.ts";
import { migrate } from "#db/migrate.ts";
import { checkBackup } from "#src/backup/read-backup.ts";
import { restoreBackup } from "#src/backup/restore-backup.ts";
import { writeBackup } from "#src/backup/write-backup.ts";
import { runChecks } from "#src/books/run-checks.ts";
import { createStore } from "#src/people/storage/create-store.ts";
import { afterFile } from "#tests/support/after-file.ts";
import { buildCall, buildEvent, buildPlayer } from "#tests/support/build.ts";
import { testDeps } from "#tests/support/deps.ts";
import { resolveAndPay } from "#tests/support/pay.ts";
import { makeDataFolder } from "#tests/support/product-process.ts";
import { requireInstalledPostgres, startInstalledPostgres } from "./installed-postgres.ts";
import { messageOf, readEverything } from "./restored.ts";

// The embedded Postgres has no client programs.
const bin = requireInstalledPostgres();

test("an external database is backed up by pg_dump and restored by pg_restore, with the same rows, and its books agree", async () => {
  const { dataDir: folder, remove } = makeDataFolder();
  afterFile(remove);
  const sockets = path.join(folder, "server");
  const server = await startInstalledPostgres(bin, sockets);
  afterFile(() => server.stop());
  const urlOf = (name: string) => `postgres://owner@localhost/${name}?host=${encodeURIComponent(sockets)}`;
  const admin = new SQL({
    adapter: "postgres",
    path: `${sockets}/.s.PGSQL.5432`,
    username: "owner",
    database: "postgres",
    max: 1,
  });
  for (const name of ["played", "restored"]) await admin.unsafe(`CREATE DATABASE ${name}`);
  await admin.close();
  await migrate(urlOf("played"));
  const rest = await testDeps();
  const deps = { ...rest, pool: connect(urlOf("played"), { poolSize: 4 }) };
  afterFile(() => deps.pool.close());
  const event = await buildEvent(deps, "open");
  await buildCall(deps, { userId: (await buildPlayer(deps)).id, eventId: event.id });
  await resolveAndPay(deps, { eventId: event.id, actor: null, result: "true" });

  const backup = { file: path.join(folder, "backup"), passphrase: null };
  const env = { ...rest.env, ownerDatabaseUrl: urlOf("played") };
  const say = () => undefined;
  const { manifest } = await writeBackup(env, {
    ...backup,
    uploads: false,
    secrets: false,
    usePgDump: true,
    say,
  });
  expect(manifest.database).toBe("pg_dump");

  const plan = {
    databaseUrl: urlOf("restored"),
    store: createStore({ kind: "disk", folder }),
    keepSecretKey: say,
    say,
  };
  const cut = { file: path.join(folder, "cut"), passphrase: null };
  writeFileSync(cut.file, readFileSync(backup.file).subarray(0, 5_000));
  expect(await messageOf(checkBackup(cut))).toMatch(/Nothing was written/);
  await restoreBackup({ ...plan, backup, ...(await checkBackup(backup)) });
  const restored = connect(urlOf("restored"), { poolSize: 2 });
  expect(await readEverything(restored.db)).toEqual(await readEverything(deps.pool.db));
  expect((await runChecks(restored.db)).filter(({ bad }) => bad !== 0)).toEqual([]);
  const [row] =
    await restored.sql`SELECT count(*)::int AS open FROM journal WHERE tx >= pg_current_xact_id()`;
  expect(row).toEqual({ open: 0 });
  expect(await messageOf(restoreBackup({ ...plan, backup, ...(await checkBackup(backup)) }))).toMatch(
    /already has tables/,
  );
  await restored.close();
}, 120_000);
