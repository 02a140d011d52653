import { expect, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { eq } from "drizzle-orm";
import { connect } from "#db/client.ts";
import { dataFolderOf } from "#db/embedded/data-folder.ts";
import { readPid } from "#db/embedded/processes.ts";
import { events } from "#db/schema/events.ts";
import { ownVariables } from "#src/settings/env.ts";
import { readEverything } from "#tests/backup/restored.ts";
import { afterFile } from "#tests/support/after-file.ts";
import { buildCall, buildEvent, buildPlayer, buildRunningSession, only } from "#tests/support/build.ts";
import { signInDirectly } from "#tests/support/client.ts";
import { testDatabase } from "#tests/support/database.ts";
import { testDeps } from "#tests/support/deps.ts";
import { makeDataFolder, type ProductProcess, startProduct } from "#tests/support/product-process.ts";
import { createTestRedis } from "#tests/support/redis.ts";
import { waitFor } from "#tests/support/wait-for.ts";

const TOP = path.join(import.meta.dir, "../..");
const PASSPHRASE = "a passphrase of the tests";
const deps = await testDeps();

/** A folder for the files of this test file. The copies of the product in it share a backup, so that few are made and started. */
const { dataDir: folder, remove } = makeDataFolder();
const products: ProductProcess[] = [];
afterFile(async () => {
  for (const product of products) product.kill("SIGTERM");
  await Promise.all(products.map(({ exited }) => exited));
  remove();
});

function start(dataDir: string): ProductProcess {
  const product = startProduct(dataDir, { DEMO: "off" });
  products.push(product);
  return product;
}

async function run(
  command: "backup" | "restore",
  options: string[],
  variables: Record<string, string>,
): Promise<{ code: number; output: string }> {
  const empty = {
    DATABASE_URL: "",
    REDIS_URL: "",
    SECRET_KEY: "",
    BACKUP_PASSPHRASE: "",
    // A guess of the passphrase takes a second on purpose; here it takes some milliseconds.
    BACKUP_WORK_FACTOR: "10",
    NODE_ENV: "development",
  };
  const child = Bun.spawn([process.execPath, `src/run/${command}.ts`, ...options], {
    cwd: TOP,
    env: { ...ownVariables(), ...empty, ...variables },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  const [out, errors, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  return { code, output: `${out}${errors}` };
}

const external = () => ({
  DATABASE_URL: deps.env.databaseUrl,
  SECRET_KEY: deps.env.secretKey,
  DATA_DIR: deps.env.dataDir,
});

const session = await buildRunningSession(deps);
const event = await buildEvent(deps, "open", { sessionId: session.id, durationSeconds: 5 });
const player = await buildPlayer(deps);
await buildCall(deps, { userId: player.id, eventId: event.id });
const { cookie = "" } = await signInDirectly(deps, player);

const secret = { BACKUP_PASSPHRASE: PASSPHRASE };
const file = path.join(folder, "backup");
const made = await run("backup", [file, "--secrets", "--rows"], { ...external(), ...secret });
/** Where the backup is restored and started. */
const dataDir = path.join(folder, "data");
let url = "";

test("a restore that fails leaves no data folder behind, and the next one works", async () => {
  expect(made).toMatchObject({ code: 0, output: expect.stringMatching(/\d+ rows, .* MB, encrypted\n/) });
  const damaged = path.join(folder, "damaged");
  writeFileSync(damaged, readFileSync(file).subarray(0, 2_000));
  const refused = await run("restore", [damaged], { DATA_DIR: dataDir, ...secret });
  expect(refused).toMatchObject({
    code: 1,
    output: expect.stringMatching(/cut off or was changed.*Nothing was written/),
  });
  expect(readdirSync(folder).toSorted()).toEqual(["backup", "damaged"]);
  // What a killed restore leaves.
  mkdirSync(`${dataDir}.restoring/postgres`, { recursive: true });
  const restored = await run("restore", [file], { DATA_DIR: dataDir, ...secret });
  expect(restored).toMatchObject({
    code: 0,
    output: expect.stringContaining("The books and the scores agree."),
  });
  expect(existsSync(`${dataDir}.restoring`)).toBe(false);
  expect(readFileSync(path.join(dataDir, "secret-key"), "utf8")).toBe(deps.env.secretKey);
}, 120_000);

test("a restored product goes on: events close, sign-ins count, and its own backup is the same again", async () => {
  url = await start(dataDir).url;
  const headers = { cookie, accept: "application/json" };
  expect((await fetch(`${url}/api/v1/users/me`, { headers })).status).toBe(200);
  const pool = connect(dataFolderOf(dataDir).ownerUrl, { poolSize: 1 });
  // Redis is empty, so what was due at the time of the backup is done by the sweep.
  await waitFor("the event is closed", async () => {
    const row = only(await pool.db.select().from(events).where(eq(events.id, event.id)));
    return row.state === "closed";
  });
  await pool.close();

  // A backup of a running start, which uses its Postgres.
  const again = path.join(folder, "again");
  expect(await run("backup", [again], { DATA_DIR: dataDir })).toMatchObject({ code: 0 });
  expect((await fetch(`${url}/ready`)).status).toBe(200);
  const refused = await run("restore", [again], { DATA_DIR: dataDir });
  expect(refused).toMatchObject({
    code: 1,
    output: expect.stringMatching(/is not empty.*Nothing was written/),
  });
  expect((await fetch(`${url}/ready`)).status).toBe(200);
}, 120_000);

test("a copy of a running data folder starts beside the original, and neither touches the other's servers", async () => {
  const copy = path.join(folder, "copy");
  const pidsOf = (place: string) =>
    ["postgres/postmaster.pid", "redis/redis.pid"].map((name) => readPid(path.join(place, name)));
  const before = pidsOf(dataDir);
  expect(Bun.spawnSync(["cp", "-a", dataDir, copy]).exitCode).toBe(0);
  const copyUrl = await start(copy).url;
  expect(pidsOf(dataDir)).toEqual(before);
  expect(pidsOf(copy)).not.toContain(before[0]);
  for (const each of [url, copyUrl]) expect((await fetch(`${each}/ready`)).status).toBe(200);
}, 120_000);

test("an external database is restored into an empty one only, and with an empty Redis", async () => {
  const [target, redis] = await Promise.all([testDatabase({ empty: true }), createTestRedis()]);
  const own = { DATABASE_URL: target.url, REDIS_URL: redis.url, DATA_DIR: path.join(folder, "external") };
  const variables = { ...own, ...secret };
  await redis.redis.set("stream:old", "a message of another state");
  const refused = await run("restore", [file], variables);
  expect(refused).toMatchObject({
    code: 1,
    output: expect.stringMatching(/Redis has 1 keys.*FLUSHDB.*Nothing was written/),
  });
  expect(await target.pool.sql`SELECT 1 FROM pg_class WHERE relname = 'users'`).toHaveLength(0);
  expect(existsSync(path.join(folder, "external", "secret-key"))).toBe(false);
  await redis.redis.flushdb();
  expect(await run("restore", [file], variables)).toMatchObject({ code: 0 });
  expect(await readEverything(target.pool.db)).toEqual(await readEverything(deps.pool.db));
  const again = { ...variables, DATA_DIR: path.join(folder, "another") };
  const twice = await run("restore", [file], again);
  expect(twice).toMatchObject({ code: 1, output: expect.stringContaining("already has tables") });
  await redis.stop();
}, 120_000);

test("a passphrase is never taken from the command line, and without a terminal none is asked for", async () => {
  const other = path.join(folder, "never");
  const usage = await run("backup", [other, `--passphrase=${PASSPHRASE}`], external());
  expect(usage).toMatchObject({ code: 1, output: expect.stringContaining("Usage: bun run backup FILE") });
  const asked = await run("backup", [other, "--encrypt"], external());
  expect(asked).toMatchObject({ code: 1, output: expect.stringContaining("Set BACKUP_PASSPHRASE") });
  expect(existsSync(other)).toBe(false);
});
