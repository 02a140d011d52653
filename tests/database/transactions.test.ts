import { expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import * as v from "valibot";
import { inTransactions, type Transaction } from "#db/client.ts";
import { testDatabase } from "#tests/support/database.ts";

const { pool } = await testDatabase({ empty: true });
await pool.db.execute(
  sql`CREATE TABLE steps (n int, process int DEFAULT pg_backend_pid(), tx xid8 DEFAULT pg_current_xact_id())`,
);

const step = v.object({ n: v.number(), process: v.number(), tx: v.string() });
const readSteps = async () =>
  v.parse(v.array(step), [...(await pool.db.execute(sql`TABLE steps ORDER BY n`))]);

/** Writes the numbers from 1 on. */
function countUp(fail?: number): (tx: Transaction) => Promise<number> {
  let n = 0;
  return async (tx) => {
    n += 1;
    await tx.execute(sql`INSERT INTO steps (n) VALUES (${n})`);
    if (n === fail) throw new Error("failed");
    return n;
  };
}

test("transactions of a run commit one by one, on one connection", async () => {
  const committed: number[] = [];
  const last = await inTransactions(pool.db, countUp(), async (n) => {
    committed.push((await readSteps()).length);
    return n < 3;
  });
  expect(last).toBe(3);
  expect(committed).toEqual([1, 2, 3]);
  const steps = await readSteps();
  expect(new Set(steps.map(({ process }) => process)).size).toBe(1);
  expect(new Set(steps.map(({ tx }) => tx)).size).toBe(3);
});

test("a transaction that fails is rolled back, and those before it stay", async () => {
  await pool.db.execute(sql`TRUNCATE steps`);
  const failing = inTransactions(pool.db, countUp(3), () => Promise.resolve(true));
  expect(await failing.catch((error: unknown) => error)).toEqual(new Error("failed"));
  expect((await readSteps()).map(({ n }) => n)).toEqual([1, 2]);
  await inTransactions(pool.db, countUp(), () => Promise.resolve(false));
  expect((await readSteps()).map(({ n }) => n)).toEqual([1, 1, 2]);
});
