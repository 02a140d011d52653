import { expect } from "bun:test";
import { sql } from "drizzle-orm";
import * as v from "valibot";
import type { DatabasePool } from "#db/client.ts";
import { queryRow } from "#db/ledger/query.ts";
import { LedgerRefusal } from "#db/ledger/refusal.ts";
import { listDifferences, readWallet } from "#tests/support/books.ts";

const tables = [
  "accounts",
  "journal",
  "entries",
  "calls",
  "settlements",
  "settlement_lines",
  "events",
  "spots",
  "sessions",
  "registrations",
  "outbox",
  "audit",
];

/** One number that changes when anything that matters to money changes. */
export async function fingerprint(pool: DatabasePool): Promise<string> {
  const parts = tables.map((table) =>
    sql.raw(`SELECT '${table}' AS name, md5(coalesce(string_agg(t::text, '|' ORDER BY t::text), '')) AS hash
      FROM ${table} t`),
  );
  const { hash } = await queryRow(
    pool.db,
    v.object({ hash: v.string() }),
    sql`SELECT string_agg(hash, ' ' ORDER BY name) AS hash FROM (${sql.join(parts, sql` UNION ALL `)}) q`,
  );
  return hash;
}

/** What a wallet holds: [posted, held, owed] in cents. */
export async function balances(pool: DatabasePool, userId: number): Promise<[number, number, number]> {
  const { postedCents, heldCents, owedCents } = await readWallet(pool.db, userId);
  return [postedCents, heldCents, owedCents];
}

export async function expectBooksToAgree(pool: DatabasePool): Promise<void> {
  expect(await listDifferences(pool.db)).toEqual([]);
}

/** The code with which the ledger refuses `work`, after which nothing has changed and the books agree. */
export async function refusalOf(pool: DatabasePool, work: () => Promise<unknown>): Promise<string> {
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
 * What the database says against `work`: the violated constraint, or else the message. Afterwards nothing has changed
 * and the books agree.
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
export function violationBy(pool: DatabasePool, statement: string): Promise<string> {
  return violationOf(pool, () => pool.db.execute(sql.raw(statement)));
}

async function failureOf(pool: DatabasePool, work: () => Promise<unknown>): Promise<unknown> {
  const before = await fingerprint(pool);
  const outcome = await work().then(
    () => ({ error: undefined }),
    (error: unknown) => ({ error }),
  );
  if (outcome.error === undefined) throw new Error("this was expected to be refused");
  expect(await fingerprint(pool)).toBe(before);
  await expectBooksToAgree(pool);
  return outcome.error;
}
