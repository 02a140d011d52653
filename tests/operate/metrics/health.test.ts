import { expect, test } from "bun:test";
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import * as v from "valibot";
import { connect } from "#db/client.ts";
import { makeDataDir, dataFolderOf } from "#db/embedded/data-folder.ts";
import { startPostgres } from "#db/embedded/postgres.ts";
import { migrate } from "#db/upgrade/migrate.ts";
import { adminChecks } from "#src/operate/checks/checks.ts";
import { endTroubles, noteTroubles } from "#src/operate/checks/noted-checks.ts";
import { createServer } from "#src/server.ts";
import { givePassword, Person } from "#tests/people/users/person.ts";
import { afterFile } from "#tests/support/after-file.ts";
import { buildPlayer } from "#tests/support/build.ts";
import { buildDeps, testDeps } from "#tests/support/deps.ts";
import { createTestRedis } from "#tests/support/redis.ts";
import { waitFor } from "#tests/support/wait-for.ts";
import { sampleOf } from "./samples.ts";

/** The tests work as the owner of the tables. */
const ownerServes = expect.stringContaining("MIGRATE_DATABASE_URL");
const usual = {
  leaving: false,
  unready: [] as unknown[],
  lastBackup: null,
  locks: { given: 0, busy: 0, stale: 0, away: 0 },
};
const METRICS_TOKEN = "a token that only tests of health use";
const observer = { authorization: `Bearer ${METRICS_TOKEN}` };
/** No worker runs beside these tests. */
const noWorker = { what: "worker missing", cure: expect.stringContaining("Start the worker") };
const all = (names: readonly string[], state: string) =>
  Object.fromEntries(names.map((name) => [name, state]));
const parts = adminChecks.map(({ part }) => part);
// What is left of the memory is this machine's. No log is archived here.
const works = { ...all(parts, "ok"), worker: "missing", archive: "unknown", memory: expect.any(String) };
/** Redis would know. */
const ofRedis = all(["worker", "jobs", "queues", "evictions", "redis-memory"], "unknown");
const unknown =
  "connections backups migrations writes rights clock processes worker jobs transactions rows mails pushes timers settlements feed webhooks books starts";
const withoutDatabase = { ...all(unknown.split(" "), "unknown"), database: "away" };
type Server = ReturnType<typeof createServer>;

/** For tests that end nothing of them. */
const shared = await testDeps({ METRICS_TOKEN });

const folder = mkdtempSync(path.join(tmpdir(), "called-it-away-"));
chmodSync(folder, 0o711);
afterFile(() => rmSync(folder, { recursive: true }));

async function readyAnswer(server: Server, headers: Record<string, string> = observer) {
  const response = await server.handle(new Request("http://localhost:3000/ready", { headers }));
  const body: unknown = await response.json();
  return { status: response.status, body };
}

/** An answer is kept for a second: waits for one with this status. */
const nextAnswer = (server: Server, status: number) =>
  waitFor(`an answer ${status}`, async () => {
    const answer = await readyAnswer(server);
    return answer.status === status && answer;
  });

test("while the database is away the answer is 503 with Retry-After; after that all works again, and what has followed is no fault of its own", async () => {
  const dataFolder = dataFolderOf(path.join(folder, "data"));
  makeDataDir(dataFolder.dataDir);
  const first = await startPostgres(dataFolder, { durable: false });
  let isStuck = false;
  const deps = { ...shared, pool: connect(dataFolder.ownerUrl), isRelayStuck: () => isStuck };
  const server = createServer(deps);

  expect(await readyAnswer(server)).toMatchObject({ status: 503, body: { reason: "migrations pending" } });
  await migrate(dataFolder.ownerUrl);
  expect(await nextAnswer(server, 200)).toEqual({
    status: 200,
    body: {
      ready: true,
      reason: null,
      degraded: [],
      parts: works,
      warnings: [ownerServes],
      ...usual,
    },
  });
  const user = await buildPlayer(deps);
  await givePassword(deps, user.id);
  const person = new Person(server);
  await person.signIn(user.email);

  await first.stop();
  isStuck = true;
  const away = await person.get("/api/v1/users/me");
  expect(away.status).toBe(503);
  expect(away.headers.get("retry-after")).toBe("2");
  expect(away.headers.get("x-content-type-options")).toBe("nosniff");
  expect(await away.json()).toEqual({
    error: "Called It is having trouble right now. Try again in a moment.",
    code: "unavailable",
    requestId: away.headers.get("x-request-id"),
  });
  expect((await person.send("DELETE", "/users/sign_out")).status).toBe(503);
  const page = await person.get("/sessions", { accept: "text/html" });
  expect([page.status, page.headers.get("content-type")]).toEqual([503, "text/html; charset=utf-8"]);
  const unready = { ready: false, reason: "database away", warnings: [], ...usual };
  expect(await nextAnswer(server, 503)).toEqual({
    status: 503,
    body: {
      ...unready,
      unready: [expect.objectContaining({ what: "database away" })],
      degraded: [],
      parts: { ...works, ...withoutDatabase, broadcasts: "stuck" },
    },
  });
  expect((await server.handle(new Request("http://localhost:3000/up"))).status).toBe(200);

  const second = await startPostgres(dataFolder, { durable: false });
  expect((await person.get("/api/v1/users/me")).status).toBe(200);
  const { body } = await nextAnswer(server, 200);
  expect(body).toMatchObject({ parts: { database: "ok", broadcasts: "stuck" } });
  expect(JSON.stringify(body)).not.toContain("broadcasts stuck");
  await deps.pool.close();
  await second.stop();
});

test("only observers of /ready read more than the status", async () => {
  const server = createServer(shared);
  const status = { ready: true, leaving: false, reason: null, degraded: [{ what: "worker missing" }] };
  const asked = [readyAnswer(server, {}), readyAnswer(server, { authorization: "Bearer of another token" })];
  const observed = readyAnswer(server);
  for (const answer of await Promise.all(asked)) expect(answer.body).toEqual(status);
  expect((await observed).body).toMatchObject({
    ...status,
    degraded: [noWorker],
    parts: { database: "ok" },
    ...usual,
  });
});

test("behind a PgBouncer /ready warns while nothing ends a statement that runs for ever", async () => {
  const deps = await buildDeps({ METRICS_TOKEN });
  const { sql } = deps.pool;
  const pooled = `${deps.env.databaseUrl}${deps.env.databaseUrl.includes("?") ? "&" : "?"}pgbouncer=true`;
  const warningsNow = async () => {
    const pool = connect(pooled);
    const { body } = await readyAnswer(createServer({ ...deps, pool }));
    await pool.close();
    return v.parse(v.object({ warnings: v.array(v.string()) }), body).warnings;
  };
  const unlimited = expect.stringContaining("statement_timeout");
  expect(await warningsNow()).toEqual([ownerServes, unlimited]);
  const [{ name }] = v.parse(
    v.tuple([v.object({ name: v.string() })]),
    await sql`SELECT current_database() AS name`,
  );
  await sql.unsafe(`ALTER DATABASE "${name}" SET statement_timeout = '30s'`);
  expect(await warningsNow()).toEqual([ownerServes]);
  await deps.close();
});

test("while Redis is away the process stays ready and says what is degraded, as pages and sign-ins work", async () => {
  const deps = await buildDeps({ METRICS_TOKEN });
  const server = createServer(deps);
  const user = await buildPlayer(deps);
  await givePassword(deps, user.id);
  const person = new Person(server);
  await person.signIn(user.email);
  await deps.redis.shutdown("NOSAVE").catch(() => undefined);
  expect(await readyAnswer(server, {})).toEqual({
    status: 200,
    body: { ready: true, leaving: false, reason: null, degraded: [{ what: "redis away" }] },
  });
  expect(await readyAnswer(server)).toEqual({
    status: 200,
    body: {
      ready: true,
      reason: null,
      degraded: expect.arrayContaining([
        expect.objectContaining({ what: "redis away", cure: expect.stringContaining("REDIS_URL") }),
      ]),
      // A full machine may not have read the rights yet.
      parts: { ...works, redis: "away", ...ofRedis, feed: expect.any(String), rights: expect.any(String) },
      warnings: [ownerServes],
      ...usual,
    },
  });
  const metrics = await metricsOf(server);
  expect(sampleOf(metrics, "called_it_degraded", { part: "redis" })).toBe(1);
  expect(sampleOf(metrics, "called_it_degraded", { part: "disk" })).toBe(0);
  for (const page of ["/sessions", "/leaderboard", "/profile/wallet"])
    expect((await person.get(page, { accept: "text/html" })).status).toBe(200);
  expect((await person.get("/api/v1/users/me")).status).toBe(200);
  expect((await person.send("DELETE", "/users/sign_out")).status).toBe(204);
  expect((await person.get("/api/v1/users/me")).status).toBe(401);
  await deps.close();
});

test("/ready of each process names what the one that looks at the product as a whole has found", async () => {
  const trouble = {
    part: "cable",
    process: "",
    what: "cable refused",
    detail: "404",
    cure: "Pass Upgrade on.",
  };
  const publicUrl = "https://play.example.com";
  const deps = { ...shared, env: { ...shared.env, production: true, publicUrl } };
  const degradedNow = async () => {
    const { body } = await readyAnswer(createServer(deps));
    return v.parse(v.object({ degraded: v.array(v.looseObject({ what: v.string() })) }), body).degraded;
  };
  await noteTroubles(deps.pool.db, [{ ...trouble, since: new Date() }]);
  const { what, detail, cure } = trouble;
  expect(await degradedNow()).toContainEqual({ what, detail, cure });
  await endTroubles(deps.pool.db, [trouble]);
  expect((await degradedNow()).map((each) => each.what)).not.toContain(what);
});

test("a Redis that is frozen does not keep /ready waiting until its commands fail", async () => {
  const frozen = await createTestRedis();
  const server = createServer({ ...shared, redis: frozen.redis });
  process.kill(frozen.pid, "SIGSTOP");
  const first = await Promise.race([
    readyAnswer(server, {}),
    frozen.redis.ping().catch(() => "the command has failed first"),
  ]);
  process.kill(frozen.pid, "SIGCONT");
  expect(first).toMatchObject({ status: 200, body: { degraded: [{ what: "redis away" }] } });
  await frozen.stop();
});

async function metricsOf(server: Server): Promise<string> {
  const answer = await server.handle(new Request("http://localhost:3000/metrics", { headers: observer }));
  return answer.text();
}
