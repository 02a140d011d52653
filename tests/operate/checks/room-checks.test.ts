import { expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import path from "node:path";
import { isRoot } from "#db/embedded/data-folder.ts";
import { audit } from "#db/schema/audit.ts";
import { unreachableRedis } from "#src/base/redis.ts";
import { stateOf } from "#src/operate/checks/room-checks.ts";
import { showOperations } from "#src/operate/operations/show-operations.ts";
import { describeRoom, measureDisks, type Room } from "#src/operate/work/room.ts";
import { recordProcess } from "#src/operate/work/starts.ts";
import { runProgram } from "#tests/run/command.ts";
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
test.each(disks)("a disk is described by its room: %s", (text, of, state) => {
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
  const measure = async () => (await measureDisks({ ...deps, hasTurn: true }))[0] ?? disk;
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

test("a process that starts again and again is told in production; single starts, and those after a stop, are not", async () => {
  const live = { ...deps, env: { ...deps.env, production: true } };
  for (let restarts = 0; restarts < 6; restarts += 1) {
    await recordProcess(deps, "stop_process", "web-2");
    await recordProcess(deps, "start_process", "web-2");
  }
  await recordProcess(deps, "stop_process", "web-2");
  for (const name of ["web-2", "web-2", "worker", "web-2", "web-2", "web-2"])
    await recordProcess(deps, "start_process", name);
  expect(await runCheck(live, "starts")).toMatchObject({ state: "ok" });
  await recordProcess(deps, "start_process", "web-2");
  expect(await runCheck(live, "starts")).toMatchObject({
    what: "starts repeating",
    said: `web-2 on ${hostname()} has started 5 times within 5 minutes, and nobody has stopped it.`,
  });
  expect(await runCheck(deps, "starts")).toMatchObject({ state: "ok" });
});

/** Starts a process with these settings, which ends. @returns what it has printed. */
async function refusedStart(file: string, variables: Record<string, string>) {
  const { databaseUrl, redisUrl, dataDir } = deps.env;
  const servers = { DATABASE_URL: databaseUrl, REDIS_URL: redisUrl, DATA_DIR: dataDir, DEMO: "off" };
  const { errors: printed, code } = await runProgram(file.split(" "), { ...servers, ...variables });
  expect(code).toBe(1);
  return printed;
}

const NEWER = "INSERT INTO drizzle.__drizzle_migrations (hash, created_at) VALUES ('newer', 9999999999999)";
const refusals: [
  why: string,
  file: string,
  how: { sql?: string; wrong?: Record<string, string> },
  said: RegExp,
][] = [
  ["whose database is newer", "src/main.ts web-2", { sql: NEWER }, /^web-2 on .*Run that newer release/],
  [
    "whose settings are wrong",
    "jobs/main.ts",
    { wrong: { PUBLIC_URL: "https://a.example/b", SMTP_URL: "ftp://ana:secret@mail" } },
    /^worker on .*PUBLIC_URL must be(?!.*secret)/s,
  ],
];
test.each(refusals)(
  "a process %s is told by the others, once, until it has started",
  async (_why, file, { sql: change = "SELECT 1", wrong = {} }, said) => {
    const { sql, db } = deps.pool;
    const found = () => runCheck(deps, "starts");
    await sql.unsafe(change);
    const before = await db.$count(audit);
    for (let starts = 0; starts < 2; starts += 1) await refusedStart(file, wrong);
    expect(await found()).toMatchObject({ what: "starts refused", said: expect.stringMatching(said) });
    await recordProcess(deps, "start_process", "another");
    expect(await found()).toMatchObject({ what: "starts refused" });
    await recordProcess(deps, "start_process", file.split(" ")[1] ?? "worker");
    expect(await found()).toMatchObject({ state: "ok" });
    expect(await db.$count(audit)).toBe(before + 3);
    // Where it may not write, its output says so alone.
    await sql.unsafe(`CREATE FUNCTION write_nothing() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'no'; END $$;
      CREATE TRIGGER write_nothing BEFORE INSERT ON audit FOR EACH ROW EXECUTE FUNCTION write_nothing()`);
    expect(await refusedStart(file, wrong)).toMatch(/newer release|PUBLIC_URL must be/);
    expect(await db.$count(audit)).toBe(before + 3);
    await sql.unsafe(
      `DROP FUNCTION write_nothing CASCADE; DELETE FROM drizzle.__drizzle_migrations WHERE hash = 'newer'`,
    );
  },
);
