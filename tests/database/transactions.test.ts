import { expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import * as v from "valibot";
import { inTransaction, inTransactions, type Transaction } from "#db/client.ts";
import { isDatabaseAway, takesNoWrites } from "#db/pool/database-errors.ts";
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

const FULL = sql`DO $$ BEGIN RAISE EXCEPTION 'could not extend file' USING ERRCODE = '53100'; END $$`;

test.each<[string, (tx: Transaction) => Promise<unknown>]>([
  [
    "sent together with the next one, and seen after it",
    (tx) =>
      Promise.all([
        tx.execute(FULL).catch(async (error: unknown) => {
          await Bun.sleep(1);
          throw error;
        }),
        tx.execute(sql`TABLE steps`),
      ]),
  ],
  [
    "whose error nobody has looked at",
    async (tx) => {
      await tx.execute(FULL).catch(() => undefined);
      await tx.execute(sql`TABLE steps`);
    },
  ],
])("a transaction fails with the error of the statement that has failed first, %s", async (_, work) => {
  const error = await inTransaction(pool.db, work).catch((thrown: unknown) => thrown);
  expect(isDatabaseAway(error)).toBe(true);
  expect(takesNoWrites(error)).toBe(true);
});

test("a savepoint that has failed spoils neither what follows nor its error", async () => {
  const work = inTransaction(pool.db, async (tx) => {
    await tx.transaction(async (inner) => inner.execute(FULL)).catch(() => undefined);
    await tx.execute(sql`TABLE steps`);
    await tx.execute(sql`SELECT 1 / 0`);
  });
  expect(await work.catch((thrown: unknown) => thrown)).toMatchObject({ cause: { errno: "22012" } });
});
