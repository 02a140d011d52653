import { expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import path from "node:path";
import { isRoot } from "#db/embedded/data-folder.ts";
import { unreachableRedis } from "#src/base/redis.ts";
import { stateOf } from "#src/operate/checks/room-checks.ts";
import { showOperations } from "#src/operate/operations/show-operations.ts";
import { recordStart } from "#src/operate/operations/what-happened.ts";
import { describeRoom, measureDisks, type Room } from "#src/operate/work/room.ts";
import { afterFile, makeFileFolder } from "#tests/support/after-file.ts";
import { testDeps } from "#tests/support/deps.ts";
import { runCheck } from "./run-check.ts";

const MB = 1_048_576;
const GB = 1_024 * MB;
const DAY_MS = 86_400_000;
// Uploads are elsewhere, and the disks matter all the same.
const deps = await testDeps({ STORAGE: "s3://key:secret@bucket.example.test/uploads" });
const folder = makeFileFolder();
mkdirSync(deps.env.dataDir, { recursive: true });
const roomAtHome = async (of = deps) => (await showOperations(of, new Date())).room ?? [];
const disk: Room = { what: "disk", of: "/data", used: 0, total: 100 * GB, perDay: null };

const disks: [text: string, of: Partial<Room>, state: string][] = [
  ["98.0 GB of 100.0 GB left (98 %)", { used: 2 * GB }, "ok"],
  ["9.0 GB of 100.0 GB left (9 %)", { used: 91 * GB }, "ok"],
  ["1.5 GB of 100.0 GB left (1 %)", { used: 98.5 * GB }, "scarce"],
  ["512 MB of 4.0 GB left (12 %)", { used: 3.5 * GB, total: 4 * GB }, "ok"],
  ["60 MB of 4.0 GB left (1 %)", { used: 4 * GB - 60 * MB, total: 4 * GB }, "full"],
  ["60.0 GB of 100.0 GB left (60 %), full in about 6 days", { used: 40 * GB, perDay: 9 * GB }, "scarce"],
  ["60.0 GB of 100.0 GB left (60 %), full in about 12 days", { used: 40 * GB, perDay: 5 * GB }, "ok"],
  ["60.0 GB of 100.0 GB left (60 %)", { used: 40 * GB, perDay: -5 * GB }, "ok"],
];
test.each(disks)("a disk with %s", (text, of, state) => {
  const room = { ...disk, ...of };
  expect([describeRoom(room), stateOf(room)]).toEqual([text, state]);
});

/** A file system of its own needs root on Linux. */
const canMount = isRoot() && process.platform === "linux";

test.skipIf(!canMount)(
  "a disk is watched wherever uploads are, and so is that of another folder",
  async () => {
    const [small, missing] = [path.join(folder, "disk"), path.join(folder, "missing")];
    mkdirSync(small);
    expect(Bun.spawnSync(["mount", "-t", "tmpfs", "-o", "size=128m", "tmpfs", small]).exitCode).toBe(0);
    afterFile(() => Bun.spawnSync(["umount", small]));
    for (const change of [{ dataDir: small }, { watchedFolders: [missing, small] }]) {
      const of = { ...deps, env: { ...deps.env, ...change } };
      expect(await runCheck(of, "disk")).toMatchObject({ state: "ok" });
      const filler = path.join(small, "filler");
      writeFileSync(filler, new Uint8Array(100 * MB));
      const said = expect.stringMatching(new RegExp(`${small}: 2\\d MB of 128 MB left`));
      expect(await runCheck(of, "disk")).toMatchObject({ state: "full", said });
      writeFileSync(filler, "");
    }
    const nowhere = { ...deps, env: { ...deps.env, dataDir: missing, watchedFolders: [missing] } };
    expect(await runCheck(nowhere, "disk")).toMatchObject({ state: "ok" });
  },
);

test("what each day takes is known from the days before, and from no single one", async () => {
  const measure = async () => (await measureDisks(deps))[0] ?? disk;
  const { of } = await measure();
  const keyOf = (daysAgo: number) => `room:${Math.floor(Date.now() / DAY_MS) - daysAgo}:${hostname()}:${of}`;
  // Redis keeps what was used today for a week.
  expect(await deps.redis.ttl(keyOf(0))).toBeGreaterThan(7 * 86_400);
  await deps.redis.set(keyOf(1), 1);
  expect((await measure()).perDay).toBeNull();
  await deps.redis.set(keyOf(4), 1);
  const { used, perDay } = await measure();
  const days = used / (perDay ?? 1);
  expect([days > 3.9, days < 5.1]).toEqual([true, true]);
});

test("the home shows what is left, without what cannot be known, also while Redis is away", async () => {
  const kinds = async (of = deps) => [...new Set((await roomAtHome(of)).map(({ what }) => what))];
  const onLinux = process.platform === "linux" ? ["memory", "descriptors"] : [];
  expect(await kinds()).toEqual(["disk", "connections", "redis-memory", ...onLinux]);
  const redis = unreachableRedis();
  expect(await kinds({ ...deps, redis })).toEqual(["disk", "connections", ...onLinux]);
  const elsewhere = { ...deps.env, databaseUrl: "postgres://called_it@db.example.test/called_it" };
  const database = (await roomAtHome({ ...deps, env: elsewhere })).find(({ what }) => what === "database");
  expect(database?.text).toMatch(/^\d+ MB used\. What its disk has left is not known here\.$/);
});

test("few connections, a nearly full Redis and one that may drop alarms are told with their cure", async () => {
  const name = new URL(deps.env.databaseUrl).pathname.slice(1);
  const limit = (count: number) => deps.pool.sql.unsafe(`ALTER DATABASE ${name} CONNECTION LIMIT ${count}`);
  const set = (setting: string, value: string) => deps.redis.call("CONFIG", "SET", setting, value);
  const states = async () =>
    Promise.all(
      (["connections", "redis-memory", "evictions"] as const).map(async (part) => {
        const { state, cure } = await runCheck(deps, part);
        return cure === "" ? state : `${state}: ${cure}`;
      }),
    );
  await limit(1_000);
  expect(await states()).toEqual(["ok", "ok", "ok"]);
  await Promise.all([limit(1), set("maxmemory", "500kb"), set("maxmemory-policy", "volatile-lru")]);
  expect(await states()).toEqual([
    expect.stringMatching(/^scarce: .*Raise max_connections/),
    expect.stringMatching(/^scarce: .*Raise maxmemory/),
    expect.stringMatching(/^allowed: .*CONFIG SET maxmemory-policy noeviction/),
  ]);
  await Promise.all([limit(-1), set("maxmemory", "0"), set("maxmemory-policy", "noeviction")]);
});

test("a process that starts again and again is told in production, and single starts are not", async () => {
  const live = { ...deps, env: { ...deps.env, production: true } };
  for (const name of ["web-2", "web-2", "worker", "web-2", "web-2"]) await recordStart(deps, name);
  expect(await runCheck(live, "starts")).toMatchObject({ state: "ok" });
  await recordStart(deps, "web-2");
  expect(await runCheck(live, "starts")).toMatchObject({
    what: "starts repeating",
    said: `web-2 on ${hostname()} has started 5 times within 5 minutes.`,
  });
  expect(await runCheck(deps, "starts")).toMatchObject({ state: "ok" });
});
