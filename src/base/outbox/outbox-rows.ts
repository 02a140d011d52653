import { and, asc, desc, inArray, isNull, notInArray, sql } from "drizzle-orm";
import * as v from "valibot";
import type { Queryable, Transaction } from "#db/client.ts";
import { anyOf, queryValue } from "#db/ledger/query.ts";
import { outbox } from "#db/schema/outbox.ts";
import { deleteOldestRows } from "#src/base/delete-old-rows.ts";
import { forgetFailures, hasFailed, notPaused } from "#src/base/try-rows.ts";
import { type Fact, fact } from "./write-fact.ts";

/** The key of a Postgres advisory lock. */
const RELAY_LOCK = { class: 7702, key: 1 };
/**
 * Postgres disconnects a relay that holds the lock and does nothing for this long, so that another one takes over before pages count as
 * late. Redis answers a relay within 2 s, or fails.
 */
export const RELAY_IDLE_MAX_MS = 3_000;
const KEEP_SENT_MINUTES = 60;

/** How many calls the facts of one batch may name together, so that transactions stay short. */
const NAMED_CALLS_MAX = 1_000;

/** A fact that was not broadcast yet; `fact` is null if its payload cannot be read; `hasFailed`: it is tried again. */
export type OutboxRow = { id: number; fact: Fact | null; hasFailed: boolean };

/** The facts that the relay itself writes for the remaining recipients of a large settlement, close or notification. */
const followUpKinds: Fact["kind"][] = ["rest_of_settlement", "rest_of_close", "rest_of_notifications"];

/** Not broadcast yet, and not one that failed and has to wait. */
const isUnsent = and(isNull(outbox.sentAt), notPaused("fact", outbox.id));

/** True if a fact was not broadcast yet. Cheap enough for every second. */
export async function hasUnsentFacts(db: Queryable): Promise<boolean> {
  const rows = await db.select({ id: outbox.id }).from(outbox).where(isUnsent).limit(1);
  return rows.length > 0;
}

/**
 * Waits until no other relay works, and holds the lock until the end of the transaction. The commit does not wait for the
 * disk, which leaves the disk to the commits of placed calls. Facts whose mark a crash loses are broadcast twice, which is
 * harmless.
 */
export async function takeRelayLock(tx: Transaction): Promise<void> {
  await tx.execute(sql`SELECT set_config('idle_in_transaction_session_timeout', ${String(RELAY_IDLE_MAX_MS)}, true),
    set_config('synchronous_commit', 'off', true),
    pg_advisory_xact_lock(${RELAY_LOCK.class}::int, ${RELAY_LOCK.key}::int)`);
}

/** Two queues in one table: the facts that verbs write, and the follow-ups that the relay writes. */
export type Lane = "facts" | "followUps";

/** Finds the next facts of a lane, in the order in which they were written. */
export async function findUnsent(tx: Transaction, lane: Lane, limit: number): Promise<OutboxRow[]> {
  const inLane =
    lane === "followUps" ? inArray(outbox.kind, followUpKinds) : notInArray(outbox.kind, followUpKinds);
  const rows = await tx
    .select({
      id: outbox.id,
      kind: outbox.kind,
      payload: outbox.payload,
      hasFailed: hasFailed("fact", outbox.id),
    })
    .from(outbox)
    .where(and(isUnsent, inLane))
    .orderBy(asc(outbox.id))
    .limit(limit);
  return rows.map(({ id, kind, payload, hasFailed: failed }) => {
    const parsed = v.safeParse(fact, { ...(typeof payload === "object" ? payload : {}), kind });
    return { id, fact: parsed.success ? parsed.output : null, hasFailed: failed };
  });
}

/**
 * Takes as many facts from the beginning as one transaction may broadcast, at least one. Facts about many players are sent
 * alone: if one fails, the facts before it are not sent again.
 */
export function limitBatch(rows: readonly OutboxRow[]): OutboxRow[] {
  let namedCalls = 0;
  const end = rows.findIndex(({ fact: each }) => {
    namedCalls += each?.kind === "calls_placed" ? each.callIds.length : 1;
    return namedCalls > NAMED_CALLS_MAX || (each !== null && isSentAlone(each));
  });
  return end < 0 ? [...rows] : rows.slice(0, Math.max(1, end));
}

function isSentAlone({ kind }: Fact): boolean {
  return kind === "event_settled" || kind === "notifications_created" || kind.startsWith("rest_of_");
}

export async function markSent(tx: Transaction, rows: readonly OutboxRow[]): Promise<void> {
  if (rows.length === 0) return;
  const ids = rows.map(({ id }) => id);
  await tx
    .update(outbox)
    .set({ sentAt: sql`game_now()` })
    .where(anyOf(outbox.id, ids));
  const failed = rows.filter(({ hasFailed: has }) => has);
  await forgetFailures(
    tx,
    "fact",
    failed.map(({ id }) => id),
  );
}

/** Deletes the facts that were broadcast more than an hour ago. */
export async function pruneSent(db: Queryable): Promise<void> {
  const old = sql`sent_at < game_now() - make_interval(mins => ${KEEP_SENT_MINUTES}::int)`;
  await deleteOldestRows(db, { table: outbox, old });
}

/** Facts that say nothing about the game. */
const ownDeeds: Fact["kind"][] = ["notifications_read", "avatar_changed"];

/** Transactions that commit at the same time may have their facts in another order than their ids. */
const LAST_FACTS = 50;

/**
 * When anything of the game changed last, in milliseconds since 1970: when the newest fact was broadcast, which is after its
 * commit. 0 if that is longer ago than facts are stored; null if a fact is still to be broadcast, so it is now. Read it after the
 * data: then the data has no newer change.
 */
export async function findLastChange(db: Queryable): Promise<number | null> {
  const last = await db
    .select({ sentAt: outbox.sentAt })
    .from(outbox)
    .where(notInArray(outbox.kind, ownDeeds))
    .orderBy(desc(outbox.id))
    .limit(LAST_FACTS);
  let newestMs = 0;
  for (const { sentAt } of last) {
    if (sentAt === null) return null;
    newestMs = Math.max(newestMs, sentAt.getTime());
  }
  return newestMs;
}

/** The database's clock, ISO 8601 in UTC. */
export function readClock(db: Queryable): Promise<string> {
  return queryValue(db, v.string())`
    SELECT to_char(game_now() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
}
