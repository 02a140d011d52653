import { expect, test } from "bun:test";
import path from "node:path";
import { eq } from "drizzle-orm";
import { connect } from "#db/client.ts";
import { dataFolderOf } from "#db/embedded/data-folder.ts";
import { readPid } from "#db/embedded/processes.ts";
import { events } from "#db/schema/events.ts";
import { runCommand } from "#tests/run/command.ts";
import { afterFile } from "#tests/support/after-file.ts";
import { only } from "#tests/support/build.ts";
import { makeDataFolder, type ProductProcess, startProduct } from "#tests/support/product-process.ts";
import { waitFor } from "#tests/support/wait-for.ts";
import { testWorld } from "#tests/support/world.ts";

const { deps, build, signIn } = await testWorld();

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

const external = {
  DATABASE_URL: deps.env.databaseUrl,
  SECRET_KEY: deps.env.secretKey,
  DATA_DIR: deps.env.dataDir,
};

const session = await build.runningSession();
const event = await build.event("open", { sessionId: session.id, durationSeconds: 5 });
const player = await build.player();
await build.call({ userId: player.id, eventId: event.id });
const { cookie = "" } = await signIn(player);

const secret = { BACKUP_PASSPHRASE: "a passphrase of the tests" };
const file = path.join(folder, "backup");
/** Where the backup is restored and started. */
const dataDir = path.join(folder, "data");
let url = "";

test("a restored product goes on: events close, sign-ins count, and its own backup is the same again", async () => {
  const made = await runCommand(["backup", file, "--secrets"], { ...external, ...secret });
  expect(made).toMatchObject({ code: 0 });
  expect(await runCommand(["restore", file], { DATA_DIR: dataDir, ...secret })).toMatchObject({ code: 0 });
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
  expect(await runCommand(["backup", again], { DATA_DIR: dataDir })).toMatchObject({ code: 0 });
  expect((await fetch(`${url}/ready`)).status).toBe(200);
  expect(await runCommand(["restore", again], { DATA_DIR: dataDir })).toMatchObject({
    code: 1,
    output: expect.stringMatching(/is not empty.*Nothing was written/),
  });
  expect((await fetch(`${url}/ready`)).status).toBe(200);
});

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
});
