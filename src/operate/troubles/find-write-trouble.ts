import { sql } from "drizzle-orm";
import * as v from "valibot";
import type { DatabasePool } from "#db/client.ts";
import { explainError } from "#src/base/describe-error.ts";

/** What it means, and what an operator does about it. */
export const WRITES_CURE =
  "Postgres answers and takes no writes: pages work, and calls, results and payments do not. Its disk is full: make room. Or it is a standby, " +
  "or set to read-only: name the primary in DATABASE_URL, or promote this one, or take default_transaction_read_only back. Nothing is lost, " +
  "and all goes on by itself.";

const settings = v.tuple([v.object({ isReadOnly: v.boolean(), isStandby: v.boolean() })]);
const query = sql`SELECT current_setting('transaction_read_only') = 'on' AS "isReadOnly", pg_is_in_recovery() AS "isStandby"`;

/** Why the database takes no writes; null if it does, as far as its settings and the statements of the last seconds say. */
export async function findWriteTrouble({ db, lastRefusal }: DatabasePool): Promise<string | null> {
  const [{ isReadOnly, isStandby }] = v.parse(settings, [...(await db.execute(query))]);
  if (isStandby) return "It is a standby of another server.";
  if (isReadOnly) return "Its transactions are read-only (default_transaction_read_only).";
  const refusal = lastRefusal();
  return refusal === null ? null : explainError(refusal);
}
