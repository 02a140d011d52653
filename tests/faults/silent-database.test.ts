import { beforeEach, expect, test } from "bun:test";
import path from "node:path";
import { sql } from "drizzle-orm";
import { connect, inTransaction } from "#db/client.ts";
import { isDatabaseAway } from "#db/pool/database-errors.ts";
import type { PoolChange } from "#db/pool/watched-pool.ts";
import { createHub } from "#src/live/cable/hub.ts";
import { createServer } from "#src/server.ts";
import { afterFile } from "#tests/support/after-file.ts";
import { testDeps } from "#tests/support/deps.ts";
import { testServers } from "#tests/support/servers.ts";
import { createSilentProxy } from "#tests/support/silent-proxy.ts";
import { waitFor } from "#tests/support/wait-for.ts";

const TEST_WITHIN_MS = 180_000;
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

test(
  "a statement on a connection that has died without an error fails, and the next one has a new connection",
  async () => {
    proxy.dropPresent();
    const all = await Promise.all(Array.from({ length: POOL_SIZE + 3 }, () => outcomeOf(select())));
    // What waited for a connection gets one of the new ones.
    expect(all.toSorted()).toEqual(["away", "away", "away", "away", "done", "done", "done"]);
    expect(changes).toEqual(["replaced"]);
    expect(await outcomeOf(select())).toBe("done");
  },
  TEST_WITHIN_MS,
);

test(
  "a transaction that loses its connection between two statements fails and is rolled back",
  async () => {
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
  },
  TEST_WITHIN_MS,
);

test(
  "a transaction that loses its connection before the commit fails",
  async () => {
    const outcome = await outcomeOf(
      inTransaction(pool.db, async (tx) => {
        await tx.execute(sql`INSERT INTO marks VALUES (3)`);
        proxy.dropPresent();
      }),
    );
    expect(outcome).toBe("away");
    expect(await marks()).toBe(0);
  },
  TEST_WITHIN_MS,
);

test(
  "while the server is silent all statements fail, and they work again when it answers",
  async () => {
    proxy.freeze();
    const all = await Promise.all(Array.from({ length: POOL_SIZE + 3 }, () => outcomeOf(select())));
    expect(new Set(all)).toEqual(new Set(["away"]));
    expect(changes).toEqual(["silent"]);
    expect(await outcomeOf(select())).toBe("away");
    expect(await outcomeOf(inTransaction(pool.db, (tx) => tx.execute(sql`SELECT 1`)))).toBe("away");
    proxy.thaw();
    await waitFor("the return", () => changes.includes("back"));
    expect(await outcomeOf(select())).toBe("done");
  },
  TEST_WITHIN_MS,
);

test(
  "pages are refused with 503 while the server is silent, and served when it answers again",
  async () => {
    expect((await get("/sessions/unknown")).status).toBe(302);
    proxy.freeze();
    for (let request = 0; request < 3; request += 1) {
      const refused = await get("/sessions/unknown");
      expect(refused.status).toBe(503);
      expect(refused.headers.get("retry-after")).toBe("2");
    }
    expect(await (await get("/ready")).json()).toMatchObject({
      ready: false,
      reason: "database away, migrations away",
    });
    proxy.thaw();
    await waitFor("a page", async () => (await get("/sessions/unknown")).status === 302);
  },
  TEST_WITHIN_MS,
);

test(
  "a statement that the server works on is left alone, however long it takes",
  async () => {
    const slow = Array.from({ length: POOL_SIZE }, () => outcomeOf(pool.sql`SELECT pg_sleep(4)`));
    const waiting = outcomeOf(select());
    expect(await Promise.all([...slow, waiting])).toEqual(["done", "done", "done", "done", "done"]);
    expect(changes).toEqual([]);
  },
  TEST_WITHIN_MS,
);

test(
  "a transaction may wait between two statements",
  async () => {
    const outcome = await outcomeOf(
      inTransaction(pool.db, async (tx) => {
        await tx.execute(sql`SELECT 1`);
        await direct.pool.sql`SELECT pg_sleep(3.3)`;
        await tx.execute(sql`SELECT 1`);
      }),
    );
    expect(outcome).toBe("done");
    expect(changes).toEqual([]);
  },
  TEST_WITHIN_MS,
);

test(
  "one dead connection is found beside others that work",
  async () => {
    const lost = outcomeOf(
      inTransaction(pool.db, async (tx) => {
        await tx.execute(sql`SELECT 1`);
        proxy.dropPresent();
        await tx.execute(sql`SELECT 1`);
      }),
    );
    expect(await lost).toBe("away");
  },
  TEST_WITHIN_MS,
);
