import { beforeEach, expect, test } from "bun:test";
import path from "node:path";
import { sql } from "drizzle-orm";
import { connect, inTransaction } from "#db/client.ts";
import { APPLICATION_ROLE } from "#db/embedded/data-folder.ts";
import { isDatabaseAway } from "#db/pool/database-errors.ts";
import type { PoolChange } from "#db/pool/watched-pool.ts";
import { createHub } from "#src/live/cable/hub.ts";
import { createServer } from "#src/server.ts";
import { afterFile } from "#tests/support/after-file.ts";
import { buildAdmin, buildPlayer } from "#tests/support/build.ts";
import { signInDirectly } from "#tests/support/client.ts";
import { testDeps } from "#tests/support/deps.ts";
import { testServers } from "#tests/support/servers.ts";
import { createSilentProxy } from "#tests/support/silent-proxy.ts";
import { waitFor } from "#tests/support/wait-for.ts";

const POOL_SIZE = 4;

const deps = await testDeps();
const direct = deps;
await direct.pool.sql`CREATE TABLE marks (id int)`;
const { dataFolder } = await testServers();
const proxy = await createSilentProxy(path.join(dataFolder.socketFolder, ".s.PGSQL.5432"));
const url = deps.env.databaseUrl.replace(
  encodeURIComponent(dataFolder.socketFolder),
  encodeURIComponent(path.dirname(proxy.socket)),
);
const changes: PoolChange[] = [];
const pool = connect(url, { poolSize: POOL_SIZE, onChange: (change) => changes.push(change) });
afterFile(() => pool.close());

const select = () => pool.db.execute(sql`SELECT 1`);
/** Opens all connections, so that later statements use them. */
const openAll = () => Promise.all(Array.from({ length: POOL_SIZE }, () => pool.sql`SELECT pg_sleep(0.05)`));
const outcomeOf = async (work: PromiseLike<unknown>): Promise<"done" | "away" | "other"> => {
  try {
    await work;
    return "done";
  } catch (error) {
    return isDatabaseAway(error) ? "away" : "other";
  }
};
const marks = async () => {
  const rows: unknown[] = await direct.pool.sql`SELECT id FROM marks`;
  return rows.length;
};

const server = createServer({ ...deps, pool }, { hub: createHub(deps) });
const get = (path: string) =>
  server.handle(new Request(`${deps.env.publicUrl}${path}`, { headers: { accept: "text/html" } }));

beforeEach(async () => {
  await waitFor("the connections", async () => (await outcomeOf(openAll())) === "done");
  changes.length = 0;
});

test("a statement on a connection that has died without an error fails, and the next one has a new connection", async () => {
  proxy.dropPresent();
  const all = await Promise.all(Array.from({ length: POOL_SIZE + 3 }, () => outcomeOf(select())));
  // What waited for a connection gets one of the new ones.
  expect(all.toSorted()).toEqual(["away", "away", "away", "away", "done", "done", "done"]);
  expect(changes).toEqual(["replaced"]);
  expect(await outcomeOf(select())).toBe("done");
});

test("a transaction that loses its connection between two statements fails and is rolled back", async () => {
  const outcome = await outcomeOf(
    inTransaction(pool.db, async (tx) => {
      await tx.execute(sql`INSERT INTO marks VALUES (1)`);
      proxy.dropPresent();
      await tx.execute(sql`INSERT INTO marks VALUES (2)`);
    }),
  );
  expect(outcome).toBe("away");
  expect(await marks()).toBe(0);
  expect(await outcomeOf(inTransaction(pool.db, (tx) => tx.execute(sql`SELECT 1`)))).toBe("done");
});

test("while the server is silent all statements fail, and pages with 503; they work again when it answers", async () => {
  expect((await get("/sessions/unknown")).status).toBe(302);
  proxy.freeze();
  const all = await Promise.all(Array.from({ length: POOL_SIZE + 3 }, () => outcomeOf(select())));
  expect(new Set(all)).toEqual(new Set(["away"]));
  expect(changes).toEqual(["silent"]);
  expect(await outcomeOf(select())).toBe("away");
  expect(await outcomeOf(inTransaction(pool.db, (tx) => tx.execute(sql`SELECT 1`)))).toBe("away");
  for (let request = 0; request < 3; request += 1) {
    const refused = await get("/sessions/unknown");
    expect(refused.status).toBe(503);
    expect(refused.headers.get("retry-after")).toBe("2");
  }
  expect(await (await get("/ready")).json()).toMatchObject({ ready: false, reason: "database away" });
  proxy.thaw();
  await waitFor("the return", () => changes.includes("back"));
  expect(await outcomeOf(select())).toBe("done");
  await waitFor("a page", async () => (await get("/sessions/unknown")).status === 302);
});

test("while the server is silent, who was staff before reads the cause and the cure on every page and from the API, and nobody else does", async () => {
  const admin = await signInDirectly(direct, await buildAdmin(direct));
  const player = await signInDirectly(direct, await buildPlayer(direct));
  const late = await signInDirectly(direct, await buildAdmin(direct));
  const ask = (path: string, headers: Record<string, string>) =>
    server.handle(new Request(`${deps.env.publicUrl}${path}`, { headers }));
  for (const headers of [admin, player])
    expect((await ask("/api/v1/users/me", headers)).status).toBeLessThan(500);
  const cure = "Start it, see what slows it";
  proxy.freeze();
  await waitFor("the silence", async () => (await outcomeOf(select())) === "away");
  for (const path of ["/admin", "/admin/queues", "/sessions"]) {
    const page = await ask(path, { ...admin, accept: "text/html" });
    expect([page.status, page.headers.get("refresh"), await page.text()]).toEqual([
      503,
      "2",
      expect.stringContaining(cure),
    ]);
  }
  expect(await (await ask("/api/v1/operations", admin)).json()).toMatchObject({
    code: "unavailable",
    detail: expect.stringContaining(cure),
  });
  for (const headers of [player, late, { cookie: `${admin["cookie"]}x` }, {}]) {
    const page = await ask("/admin", { ...headers, accept: "text/html" });
    expect(page.status).toBeGreaterThan(400);
    expect(await page.text()).not.toContain(cure);
    expect(await (await ask("/api/v1/operations", headers)).json()).not.toHaveProperty("detail");
  }
  proxy.thaw();
});

test("while the role lacks a right that each request needs, who was staff before reads the cause and the cure, and a player does not", async () => {
  const admin = await signInDirectly(direct, await buildAdmin(direct));
  const player = await signInDirectly(direct, await buildPlayer(direct));
  const address = new URL(direct.env.databaseUrl);
  address.username = APPLICATION_ROLE;
  await using pool = connect(address.toString());
  const limited = createServer({ ...direct, pool });
  const ask = async (path: string, headers: Record<string, string>): Promise<unknown> =>
    (await limited.handle(new Request(`${direct.env.publicUrl}${path}`, { headers }))).json();
  for (const headers of [admin, player]) await ask("/api/v1/users/me", headers);
  await direct.pool.sql.unsafe(`REVOKE SELECT ON calls FROM ${APPLICATION_ROLE}`);
  const [operations, own] = [await ask("/api/v1/operations", admin), await ask("/api/v1/users/me", player)];
  expect(operations).toMatchObject({
    code: "unavailable",
    detail: expect.stringContaining("bun run migrate"),
  });
  expect(own).toMatchObject({ code: "internal" });
  expect(own).not.toHaveProperty("detail");
});

/** A server that refuses every connection as Postgres does. */
function refusingServer(code: string) {
  const fields = [`SFATAL`, `VFATAL`, `C${code}`, "Mrefused", ""].join("\0");
  const text = Buffer.from(`${fields}\0`);
  const head = Buffer.from([0x45, 0, 0, 0, text.length + 4]);
  const open = Bun.listen({
    hostname: "127.0.0.1",
    port: 0,
    socket: { data: (socket) => void socket.end(Buffer.concat([head, text])) },
  });
  return { url: `postgres://called_it:wrong@127.0.0.1:${open.port}/called_it`, stop: () => open.stop(true) };
}

test.each([
  ["another password", "28P01"],
  ["no entry in pg_hba.conf", "28000"],
  ["no such database", "3D000"],
  ["too many connections", "53300"],
])("a server that refuses the connection counts as away: %s", async (_, code) => {
  const refusing = refusingServer(code);
  const own = connect(refusing.url, { poolSize: 1 });
  const web = createServer({ ...deps, pool: own }, { hub: createHub(deps) });
  expect(await outcomeOf(own.db.execute(sql`SELECT 1`))).toBe("away");
  const request = new Request(`${deps.env.publicUrl}/sessions/unknown`, { headers: { accept: "text/html" } });
  const page = await web.handle(request);
  expect([page.status, page.headers.get("retry-after")]).toEqual([503, "2"]);
  await own.close();
  refusing.stop();
});

test("a statement that the server works on is left alone, however long it takes, and a transaction may wait between two statements", async () => {
  const slow = Array.from({ length: POOL_SIZE - 1 }, () => outcomeOf(pool.sql`SELECT pg_sleep(4)`));
  const paused = outcomeOf(
    inTransaction(pool.db, async (tx) => {
      await tx.execute(sql`SELECT 1`);
      await direct.pool.sql`SELECT pg_sleep(3.3)`;
      await tx.execute(sql`SELECT 1`);
    }),
  );
  const waiting = outcomeOf(select());
  expect(await Promise.all([...slow, paused, waiting])).toEqual(["done", "done", "done", "done", "done"]);
  expect(changes).toEqual([]);
});
