import { expect } from "bun:test";
import { sql } from "drizzle-orm";
import * as v from "valibot";
import { type DatabasePool, inTransaction, type Transaction } from "#db/client.ts";
import { listAccountTotals, listDifferingRows } from "#db/ledger/list-book-checks.ts";
import { LedgerRefusal } from "#db/ledger/refusal.ts";
import { accountKinds } from "#db/lists/accounts.ts";
import { listDifferences, readWallet } from "#tests/support/books.ts";
import { digestTables } from "#tests/support/database-digest.ts";

/** What a wallet holds: [posted, held, owed] in cents. */
export async function balances(pool: DatabasePool, userId: number): Promise<[number, number, number]> {
  const { postedCents, heldCents, owedCents } = await readWallet(pool.db, userId);
  return [postedCents, heldCents, owedCents];
}

/** Checks that the books agree, and that the kept totals of the accounts are their sums. */
export async function expectBooksToAgree(pool: DatabasePool): Promise<void> {
  expect(await listDifferences(pool.db)).toEqual([]);
  const summed = await pool.db.execute(
    sql`SELECT kind, count(*)::int AS "accountsCount", sum(posted_cents)::float8 AS "postedCents",
        sum(held_cents)::float8 AS "heldCents"
      FROM accounts GROUP BY kind ORDER BY kind`,
  );
  const kept = await listAccountTotals(pool.db);
  expect(kept.toSorted((a, b) => a.kind.localeCompare(b.kind))).toEqual(v.parse(totals, [...summed]));
}

const totals = v.array(
  v.object({
    kind: v.picklist(accountKinds),
    accountsCount: v.number(),
    postedCents: v.number(),
    heldCents: v.number(),
  }),
);

/** The code with which the ledger refuses `work`. Checks that nothing has changed and that the books agree. */
export async function refusalCodeOf(pool: DatabasePool, work: () => Promise<unknown>): Promise<string> {
  const error = await failureOf(pool, work);
  if (!(error instanceof LedgerRefusal)) throw error;
  return error.code;
}

const databaseError = v.object({
  errno: v.string(),
  constraint: v.optional(v.string()),
  message: v.string(),
});
const wrappedError = v.object({ cause: databaseError });

/**
 * The constraint that `work` violates, or else the error's message. Checks that nothing has changed and that the books agree.
 */
export async function violationOf(pool: DatabasePool, work: () => Promise<unknown>): Promise<string> {
  const error = await failureOf(pool, work);
  const { cause } = v.is(wrappedError, error)
    ? v.parse(wrappedError, error)
    : { cause: v.parse(databaseError, error) };
  if (!["23514", "23505", "23503", "22003", "23502"].includes(cause.errno)) throw error;
  return cause.constraint ?? cause.message;
}

/** The same for one statement. */
export function violationOfStatement(pool: DatabasePool, statement: string): Promise<string> {
  return violationOf(pool, () => pool.db.execute(sql.raw(statement)));
}

async function failureOf(pool: DatabasePool, work: () => Promise<unknown>): Promise<unknown> {
  const before = await digestTables(pool.db);
  const outcome = await work().then(
    () => ({ error: undefined }),
    (error: unknown) => ({ error }),
  );
  if (outcome.error === undefined) throw new Error("this was expected to be refused");
  expect(await digestTables(pool.db)).toBe(before);
  await expectBooksToAgree(pool);
  return outcome.error;
}

class Undone extends Error {}

/** The checks that find a difference after this work, each of which lists its rows. All of it is undone. */
export async function foundAfter(
  pool: DatabasePool,
  work: (tx: Transaction) => Promise<unknown>,
): Promise<string[]> {
  const before = await digestTables(pool.db);
  let found: string[] = [];
  const tampering = inTransaction(pool.db, async (tx) => {
    await work(tx);
    found = (await listDifferences(tx)).map(({ name }) => name);
    for (const name of found) expect(await listDifferingRows(tx, name, { limit: 5 })).not.toEqual([]);
    throw new Undone();
  });
  expect(await tampering.catch((error: unknown) => error)).toBeInstanceOf(Undone);
  expect(await digestTables(pool.db)).toBe(before);
  return found;
}
