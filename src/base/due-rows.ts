import { type SQL, sql } from "drizzle-orm";
import type { PgTable } from "drizzle-orm/pg-core";
import * as v from "valibot";
import { inTransaction, type Queryable, type Transaction } from "#db/client.ts";
import { queryColumn, queryFirst, queryRow, queryRows, writeIntegerArray } from "#db/ledger/query.ts";
import { Semaphore } from "#db/pool/semaphore.ts";
import type { Deps } from "./deps.ts";
import { hideValues } from "./describe-error.ts";
import { within } from "./within.ts";

// Decision: what is sent to another server, once, is a row that says when it is due, and only this file claims it, makes it wait, tries
// it again and gives it up. The rows stay in the tables of their rooms: there the release before finds, writes and claims them too, and
// erasure, exports and lists read them. Work that may run twice has a row only once it has failed: try-rows.ts.

/** A table whose rows are sent. All have the columns id, created_at, due_at, attempts, error and failed_at. */
export type DueRows = {
  table: PgTable;
  /** The column that says when a row was sent. */
  sentAt: "sent_at" | "delivered_at";
  /** The column that names who gets a row; null: all rows go to one server. */
  receiver: "webhook_id" | "service" | null;
  /** Since when the receiver of a row has taken none, for one that is the first in line. */
  awaySince: SQL;
  /** The clock of its times. */
  now: SQL;
  /** Its queue, which an admin may pause, and what adds the job that sends a row at its time, each time another one. */
  queue: "mails" | "pushes" | "webhooks";
  addJob: (queues: Deps["queues"], id: number, dueMs: number) => Promise<void>;
  /** How long an attempt reserves a row: longer than the other server may take. */
  claimSeconds: number;
  /** The wait after so many attempts; null: it is given up. */
  waitSeconds: (attempts: number, ageSeconds: number) => number | null;
  /** How old a row becomes whose attempts do not count, because its receiver is away or has put it off. */
  triedForSeconds: number;
  /** After an outage one follows the other after this time. */
  eachAfterMs: number;
  /** What is due for longer has no job: Redis was away or has lost it, or the process that should have sent it died. */
  overdueSeconds: number;
  /** How many a sweep sends, and how many of them at once. */
  batchSize: number;
  atOnce: number;
  /** A row is usually sent before this: one that is older waits, tried or not. */
  unsentSeconds: number;
  /** An attempt that lasts longer shows that this server is slow; null: its attempts end soon in any case. */
  slow: { afterSeconds: number; server: string } | null;
};

/** A row that this process sends now. */
export type Claim = { id: number; attempts: number; at: Date };

/** Why a row was not taken, and when it is sent again: by the plan, never, or when its receiver has asked for it. */
export type Failure = { error: string; retry: "as planned" | "never" | { afterSeconds: number } };

/**
 * What came of an attempt. It was not made: it has to wait, or is of no use any more. Or it was: `failure` is null where the row was taken.
 * `note` writes what the room keeps of it, first in the transaction; after a success it says whether the receiver was away until now.
 */
export type Outcome =
  | { postponedMs: number }
  | { dropped: string }
  | { failure: Failure | null; note?: (tx: Transaction) => Promise<boolean> };

type DueDeps = Pick<Deps, "pool" | "queues" | "log">;

/** How many of the newest rows are searched for one that was sent. */
const NEWEST = 1_000;
/** Who has written a row waits no longer than this for a Redis that does not reply. */
const ENQUEUE_TIMEOUT_MS = 1_000;
/** While a server is away it is asked again after a twentieth of that time, from 4 s to a minute. */
const OUTAGE = { part: 20, minSeconds: 4, maxSeconds: 60 };

const rowId = v.pipe(v.string(), v.toNumber());
const moment = v.pipe(
  v.union([v.string(), v.date()]),
  v.transform((at) => new Date(at)),
);

/** After how many seconds a server is asked again that has been away for so long. */
export function outagePauseSeconds(awaySeconds: number): number {
  const { part, minSeconds, maxSeconds } = OUTAGE;
  return Math.min(maxSeconds, Math.max(minSeconds, Math.round(awaySeconds / part)));
}

const inSeconds = ({ now }: DueRows, seconds: number) => sql`${now} + make_interval(secs => ${seconds})`;
const isOpen = ({ sentAt }: DueRows) => sql`${sql.identifier(sentAt)} IS NULL AND failed_at IS NULL`;
/** An attempt clears the error when it begins, so no process is sending these at the moment. */
const hasFailed = (rows: DueRows) => sql`${isOpen(rows)} AND error IS NOT NULL`;

function hasReceiverOf({ table, receiver }: DueRows, id: number): SQL {
  if (receiver === null) return sql`TRUE`;
  const column = sql.identifier(receiver);
  return sql`${column} = (SELECT ${column} FROM ${table} WHERE id = ${id})`;
}

/** When the receiver of a row took one last, before some moment. */
function lastSentAt(rows: DueRows, id: number, before: SQL): SQL {
  return sql`coalesce((SELECT max(at) FROM (
      SELECT ${sql.identifier(rows.sentAt)} AS at FROM ${rows.table} WHERE ${hasReceiverOf(rows, id)} ORDER BY id DESC LIMIT ${NEWEST}
    ) newest WHERE at < ${before}), '-infinity')`;
}

/** Sends a row, if it is due: twice only if this process dies between answer and record. @returns the milliseconds until the next attempt; null: nothing is left. */
export async function sendDue(
  deps: DueDeps,
  rows: DueRows,
  id: number,
  attempt: (claim: Claim) => Promise<Outcome>,
): Promise<number | null> {
  const { db } = deps.pool;
  const claim = await claimRow(db, rows, id);
  if (claim === null || typeof claim === "number") return claim;
  const outcome = await attempt(claim);
  if (!("failure" in outcome)) return releaseRow(db, rows, { id, outcome });
  const { failure, note } = outcome;
  const { waitMs, due } = await inTransaction(db, async (tx) => {
    const isBack = (await note?.(tx)) ?? true;
    if (failure !== null) return { waitMs: await recordFailure(tx, rows, claim, failure), due: [] };
    const isSent = await recordSuccess(tx, rows, id);
    return { waitMs: null, due: isSent && isBack ? await makeDueAfterOutage(tx, rows, claim) : [] };
  });
  await enqueueDue(deps, rows, due);
  return waitMs;
}

const claimedRow = v.object({ attempts: v.number(), at: moment });

/** @returns the claim; or the milliseconds until the row is due, null if it is over or unknown. */
async function claimRow(db: Queryable, rows: DueRows, id: number): Promise<Claim | number | null> {
  const { table, now, claimSeconds } = rows;
  const claimed = await queryFirst(db, claimedRow)`
    UPDATE ${table} SET attempts = attempts + 1, error = NULL, due_at = ${inSeconds(rows, claimSeconds)}
    WHERE id = ${id} AND ${isOpen(rows)} AND due_at <= ${now}
    RETURNING attempts, ${now} AS at`;
  if (claimed !== null) return { id, ...claimed };
  const [waitMs] = await queryColumn(db, v.number())`
    SELECT greatest(extract(epoch FROM due_at - ${now}) * 1000, 0)::float8
    FROM ${table} WHERE id = ${id} AND ${isOpen(rows)}`;
  return waitMs === undefined ? null : Math.ceil(waitMs);
}

type NotMade = { id: number; outcome: Exclude<Outcome, { failure: unknown }> };

/** Gives a claimed row back, which was not sent, and for which that was no attempt. */
async function releaseRow(db: Queryable, rows: DueRows, { id, outcome }: NotMade): Promise<number | null> {
  const change =
    "dropped" in outcome
      ? sql`failed_at = ${rows.now}, error = ${outcome.dropped}`
      : sql`due_at = ${inSeconds(rows, outcome.postponedMs / 1_000)}`;
  await db.execute(
    sql`UPDATE ${rows.table} SET attempts = attempts - 1, ${change} WHERE id = ${id} AND ${isOpen(rows)}`,
  );
  return "dropped" in outcome ? null : outcome.postponedMs;
}

async function recordSuccess(tx: Transaction, { table, sentAt, now }: DueRows, id: number): Promise<boolean> {
  const sent = await tx.execute(
    sql`UPDATE ${table} SET ${sql.identifier(sentAt)} = ${now} WHERE id = ${id} AND failed_at IS NULL RETURNING 1`,
  );
  return sent.length > 0;
}

/** @returns the milliseconds until the next attempt; null if there is none. */
async function recordFailure(
  tx: Transaction,
  rows: DueRows,
  claim: Claim,
  failure: Failure,
): Promise<number | null> {
  const next = await planNext(tx, rows, claim, failure);
  const change =
    next === null
      ? sql`failed_at = ${rows.now}`
      : sql`attempts = ${next.attempts}, due_at = ${inSeconds(rows, next.waitSeconds)}`;
  const changed = await tx.execute(
    sql`UPDATE ${rows.table} SET error = ${failure.error}, ${change} WHERE id = ${claim.id} AND failed_at IS NULL RETURNING 1`,
  );
  return next === null || changed.length === 0 ? null : next.waitSeconds * 1_000;
}

const placeRow = v.tuple([
  v.object({ ageSeconds: v.number(), awaySeconds: v.number(), isFirst: v.boolean() }),
]);

/**
 * When a row is sent again, and as which attempt. Of those that wait for a receiver that has taken none since they were written, the first
 * asks soon whether it is back, which is no attempt more. So a server that comes back is used within seconds, and one that is away costs
 * little. One that its receiver has put off is no attempt more either.
 * @returns null if it is given up.
 */
async function planNext(
  tx: Transaction,
  rows: DueRows,
  { id, attempts }: Claim,
  { retry }: Failure,
): Promise<{ waitSeconds: number; attempts: number } | null> {
  if (retry === "never") return null;
  const { table, now, awaySince } = rows;
  const isUntaken = sql`created_at > ${lastSentAt(rows, id, sql`'infinity'`)}`;
  const found = await tx.execute(sql`
    SELECT extract(epoch FROM ${now} - created_at)::float8 AS "ageSeconds",
      extract(epoch FROM ${now} - ${awaySince})::float8 AS "awaySeconds",
      ${isUntaken} AND NOT EXISTS (
        SELECT FROM ${table} WHERE id < ${id} AND ${hasReceiverOf(rows, id)} AND ${isOpen(rows)} AND ${isUntaken}
      ) AS "isFirst"
    FROM ${table} WHERE id = ${id}`);
  const [{ ageSeconds, awaySeconds, isFirst }] = v.parse(placeRow, [...found]);
  if (retry === "as planned" && !isFirst) {
    const waitSeconds = rows.waitSeconds(attempts, ageSeconds);
    return waitSeconds === null ? null : { waitSeconds, attempts };
  }
  if (ageSeconds >= rows.triedForSeconds) return null;
  const waitSeconds = retry === "as planned" ? outagePauseSeconds(awaySeconds) : retry.afterSeconds;
  return { waitSeconds, attempts: Math.max(1, attempts - 1) };
}

/** A row that has no job for its time yet; without a time it was just written. */
export type Due = { id: number; dueAt?: Date };
export const dueRow = v.object({ id: rowId, dueAt: moment });

/** Makes rows due that were written after the receiver took one last: it works again. What it refuses, while it takes others, keeps its times. */
function makeDueAfterOutage(tx: Transaction, rows: DueRows, { id, at }: Claim): Promise<Due[]> {
  const before = sql`${at.toISOString()}::timestamptz`;
  return makeDue(tx, rows, sql`${hasReceiverOf(rows, id)} AND created_at > ${lastSentAt(rows, id, before)}`);
}

/** Makes rows due that have failed, one after the other in their order. It is no attempt more, so asking often ends none. @returns what to enqueue. */
async function makeDue(db: Queryable, rows: DueRows, which: SQL): Promise<Due[]> {
  const { table, now, eachAfterMs } = rows;
  const found = await queryRows(db, dueRow)`
    UPDATE ${table} SET due_at = (SELECT ${now}) + line.place * ${eachAfterMs} * interval '1 ms', attempts = greatest(attempts - 1, 0)
    FROM (
      SELECT id AS waiting_id, row_number() OVER (ORDER BY id) - 1 AS place FROM ${table}
      WHERE ${hasFailed(rows)} AND due_at > ${now} AND ${which}
    ) line
    WHERE id = line.waiting_id AND ${hasFailed(rows)}
    RETURNING id::text, due_at AS "dueAt"`;
  return found.toSorted((one, other) => one.id - other.id);
}

/** Sends all rows now that have failed and wait for their next attempt. */
export async function sendWaitingNow(deps: DueDeps, rows: DueRows): Promise<void> {
  await enqueueDue(deps, rows, await makeDue(deps.pool.db, rows, sql`TRUE`));
}

/** Adds the jobs that send rows which were just committed. What Redis does not accept is found by sendOverdue. */
export async function enqueueDue(
  { queues, log }: Pick<Deps, "queues" | "log">,
  { queue, addJob }: DueRows,
  due: readonly Due[],
): Promise<void> {
  if (due.length === 0) return;
  const late = () => Promise.reject(new Error("Redis did not reply in time"));
  try {
    const added = due.map(({ id, dueAt }) => addJob(queues, id, dueAt?.getTime() ?? 0));
    await within(ENQUEUE_TIMEOUT_MS, Promise.all(added), late);
  } catch (error) {
    log.warn({ err: error, queue }, "what is to be sent could not be enqueued; the sweep will send it");
  }
}

/** Sends rows that are overdue, because Redis was away or has lost their jobs, or the process that should have sent them died. */
export async function sendOverdue(
  { pool, queues }: Pick<Deps, "pool" | "queues">,
  rows: DueRows,
  send: (id: number) => Promise<unknown>,
): Promise<void> {
  // While Redis is away nobody knows, and they are sent.
  if (await queues.byName[rows.queue].isPaused().catch(() => false)) return;
  const ids = await queryColumn(pool.db, rowId)`
    SELECT id::text FROM ${rows.table} WHERE ${isOpen(rows)} AND due_at < ${inSeconds(rows, -rows.overdueSeconds)}
    ORDER BY due_at, id LIMIT ${rows.batchSize}`;
  const places = new Semaphore(rows.atOnce);
  await Promise.all(ids.map((id) => places.run(() => send(id))));
}

/** Those of these rows that are still to be sent. */
export function listOpen(db: Queryable, rows: DueRows, ids: readonly number[]): Promise<number[]> {
  const isOne = sql`id = ANY (${writeIntegerArray(ids)}::bigint[])`;
  return queryColumn(db, rowId)`SELECT id::text FROM ${rows.table} WHERE ${isOne} AND ${isOpen(rows)}`;
}

const maybeMoment = v.nullable(moment);
const unsentRow = v.object({
  /** All that are not sent, also those that are sent for the first time at this moment. */
  unsent: v.number(),
  /** Those that were tried before, are older than usual, or are sent to a server that is slow. */
  waiting: v.number(),
  /** When the oldest of those that wait was written. */
  oldestAt: maybeMoment,
  /** Why the last attempt of one failed, or that the server is slow; null: neither. */
  reason: v.nullable(v.string()),
  /** When the next of those that were tried is sent again. */
  nextAt: maybeMoment,
  /** For how long the slowest attempt has lasted; null: none is slow. */
  slowSeconds: v.nullable(v.number()),
});

type Unsent = Omit<v.InferOutput<typeof unsentRow>, "slowSeconds">;

/** What is known about the rows that are not sent yet. */
export async function findUnsent(db: Queryable, rows: DueRows): Promise<Unsent> {
  const { table, now, claimSeconds, slow } = rows;
  // An attempt that has not ended reserves the row, so it is due later than any other.
  const lasting = sql`extract(epoch FROM ${now} - due_at)::float8 + ${claimSeconds}::int`;
  const isSlow =
    slow === null
      ? sql`FALSE`
      : sql`(attempts > 0 AND error IS NULL AND due_at > ${now} AND ${lasting} > ${slow.afterSeconds}::int)`;
  const isWaiting = sql`(error IS NOT NULL OR attempts > 1 OR created_at < clock_timestamp() - make_interval(secs => ${rows.unsentSeconds})
    OR ${isSlow})`;
  const {
    slowSeconds,
    reason: error,
    ...counts
  } = await queryRow(db, unsentRow)`
    SELECT count(*)::int AS unsent, count(*) FILTER (WHERE ${isWaiting})::int AS waiting,
      min(created_at) FILTER (WHERE ${isWaiting}) AS "oldestAt",
      (array_agg(error ORDER BY id DESC) FILTER (WHERE error IS NOT NULL))[1] AS reason,
      min(due_at) FILTER (WHERE error IS NOT NULL) AS "nextAt",
      max(${lasting}) FILTER (WHERE ${isSlow}) AS "slowSeconds"
    FROM ${table} WHERE ${isOpen(rows)}`;
  const unsent = { ...counts, reason: error === null ? null : hideValues(error) };
  if (slow === null || slowSeconds === null || unsent.reason !== null) return unsent;
  const reason = `One has been under way for ${Math.round(slowSeconds)} s: ${slow.server} is slow, or the worker that was sending it has ended.`;
  return { ...unsent, reason };
}
