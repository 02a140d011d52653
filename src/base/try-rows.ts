import { and, eq, gt, lt, type SQL, sql, type SQLWrapper } from "drizzle-orm";
import type { Queryable } from "#db/client.ts";
import { anyOf } from "#db/ledger/query.ts";
import { isDatabaseAway, lacksRight } from "#db/pool/database-errors.ts";
import { failingRows } from "#db/schema/failing-rows.ts";
import type { Deps } from "./deps.ts";
import { explainError } from "./describe-error.ts";

// Decision: a row that a sweep cannot do its work for is noted in the database, and no process tries it again before its next time. So
// it costs the others nothing, the log gets some ten lines a process in ten minutes, and every process can show it to operators.

/** The work of sweeps, by the table's row that it is about. */
export type RowKind =
  | "due_event"
  | "settlement"
  | "fact"
  | "picture"
  | "refund"
  | "unused_guest"
  | "deleted_account"
  | "merged_guest"
  | "stored_file";

const PAUSE_MAX_SECONDS = 300;
const REASON_LENGTH_MAX = 500;

type TryDeps = Pick<Deps, "pool" | "log">;

/** A condition for the SELECT of a sweep: the row is not one that failed and has to wait. @param id the column with its id. */
export function notPaused(kind: RowKind, id: SQLWrapper): SQL {
  return sql`NOT EXISTS (SELECT FROM ${failingRows} f WHERE f.kind = ${kind} AND f.row_id = ${id} AND f.next_at > game_now())`;
}

/** For a SELECT: true for a row that has failed and was not done since. @param id the column with its id. */
export function hasFailed(kind: RowKind, id: SQLWrapper): SQL<boolean> {
  return sql<boolean>`EXISTS (SELECT FROM ${failingRows} f WHERE f.kind = ${kind} AND f.row_id = ${id})`;
}

type How<Row> = {
  kind: RowKind;
  idOf: (row: Row) => number;
  /** All at once; otherwise one after the other. */
  together?: boolean;
  /** Gets each error, which is noted and logged in any case. */
  onFailure?: ((error: unknown) => void) | undefined;
};

/**
 * Does some work for each of these rows. One that fails does not stop the others: it is noted, and notPaused leaves it out for a
 * second first, then for twice as long each time, for 5 minutes at most. Once it succeeds it is forgotten.
 */
export async function tryRows<Row>(
  deps: TryDeps,
  rows: readonly Row[],
  work: (row: Row) => Promise<unknown>,
  { kind, idOf, together = false, onFailure }: How<Row>,
): Promise<void> {
  const done: number[] = [];
  const tryOne = async (row: Row) => {
    try {
      await work(row);
      done.push(idOf(row));
    } catch (error) {
      await noteFailure(deps, { kind, id: idOf(row), error });
      onFailure?.(error);
    }
  };
  if (together) await Promise.all(rows.map(tryOne));
  else for (const row of rows) await tryOne(row);
  await forgetFailures(deps.pool.db, kind, done);
}

/** Forgets that these rows have failed: they are done. */
export async function forgetFailures(db: Queryable, kind: RowKind, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return;
  await db.delete(failingRows).where(and(eq(failingRows.kind, kind), anyOf(failingRows.rowId, ids)));
}

/** Notes that the work for a row has failed. A database that is away is no fault of a row. */
export async function noteFailure(
  { pool, log }: TryDeps,
  { kind, id, error }: { kind: RowKind; id: number; error: unknown },
): Promise<void> {
  if (isDatabaseAway(error)) {
    log.debug({ err: error, kind, id }, "the database is away; the next sweep tries again");
    return;
  }
  const reason = explainError(error).slice(0, REASON_LENGTH_MAX);
  // With a right that is missing all are tried until it is there, and it is told as such.
  const pause = lacksRight(error)
    ? sql`interval '2 seconds'`
    : sql`least(${PAUSE_MAX_SECONDS}, power(2, least(${failingRows.attempts}, 30))) * interval '1 second'`;
  const [noted] = await pool.db
    .insert(failingRows)
    .values({ kind, rowId: id, reason, nextAt: sql`game_now() + interval '1 second'` })
    .onConflictDoUpdate({
      target: [failingRows.kind, failingRows.rowId],
      set: { attempts: sql`${failingRows.attempts} + 1`, reason, nextAt: sql`game_now() + ${pause}` },
      // Processes that have tried it at the same moment count as one.
      setWhere: lt(failingRows.nextAt, sql`game_now()`),
    })
    .returning({ attempts: failingRows.attempts, nextAt: failingRows.nextAt });
  if (noted !== undefined)
    log.error({ err: error, kind, id, ...noted }, "a row could not be worked on; it is tried again");
}

export type FailingRow = typeof failingRows.$inferSelect;

/** The rows that have failed twice or more and were not worked on since, the longest first. */
export function listFailingRows(db: Queryable, limit: number): Promise<FailingRow[]> {
  return db
    .select()
    .from(failingRows)
    .where(gt(failingRows.attempts, 1))
    .orderBy(failingRows.since)
    .limit(limit);
}

/** How many rows have failed twice or more and were not worked on since. */
export async function countFailingRows(db: Queryable): Promise<number> {
  return db.$count(failingRows, gt(failingRows.attempts, 1));
}

/** Makes all of them due: an operator has repaired the cause. */
export async function retryFailingRows(db: Queryable): Promise<void> {
  await db.update(failingRows).set({ nextAt: sql`game_now()` });
}
