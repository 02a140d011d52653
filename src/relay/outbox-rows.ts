import { and, asc, inArray, isNull, notInArray, sql } from "drizzle-orm";
import * as v from "valibot";
import type { Queryable, Transaction } from "#db/client.ts";
import { outbox } from "#db/schema/outbox.ts";
import { type Fact, fact } from "#src/outbox/write-fact.ts";

/** A key of Postgres's advisory locks, beside the gates' own class. */
const RELAY_LOCK = { class: 7702, key: 1 };
/** A relay that hangs with the lock in its hands is cut off after this, so that another goes on. */
const HANG_MAX_MS = 10_000;
const KEEP_SENT_MINUTES = 60;

/** A fact that waits to be told; `fact` is null where nobody can read it. */
export type OutboxRow = { id: number; fact: Fact | null };

/** What the relay itself has left for later. */
const restKinds: Fact["kind"][] = ["rest_of_settlement", "rest_of_close", "rest_of_notifications"];

const clock = v.tuple([v.object({ now: v.string() })]);

/** True if anything waits. Cheap: asked each second. */
export async function anythingWaits(db: Queryable): Promise<boolean> {
  const rows = await db.select({ id: outbox.id }).from(outbox).where(isNull(outbox.sentAt)).limit(1);
  return rows.length > 0;
}

/**
 * Waits until no other relay is at work; the right lasts as long as the transaction. Its commit does not wait for the disk:
 * what a crash lets it forget is told twice, which is harmless, and the next call's commit finds the disk free.
 */
export async function takeRelayLock(tx: Transaction): Promise<void> {
  await tx.execute(sql`SELECT set_config('idle_in_transaction_session_timeout', ${String(HANG_MAX_MS)}, true),
    set_config('synchronous_commit', 'off', true),
    set_config('synchronous_commit', 'off', true),
    pg_advisory_xact_lock(${RELAY_LOCK.class}::int, ${RELAY_LOCK.key}::int)`);
}

/** Facts as they come, or what is left of those that concern a crowd. */
export type Lane = "news" | "rest";

/** The next facts of a lane in the order they were written. */
export async function findWaiting(tx: Transaction, lane: Lane, limit: number): Promise<OutboxRow[]> {
  const inLane = lane === "rest" ? inArray(outbox.kind, restKinds) : notInArray(outbox.kind, restKinds);
  const rows = await tx
    .select({ id: outbox.id, kind: outbox.kind, payload: outbox.payload })
    .from(outbox)
    .where(and(isNull(outbox.sentAt), inLane))
    .orderBy(asc(outbox.id))
    .limit(limit);
  return rows.map(({ id, kind, payload }) => {
    const parsed = v.safeParse(fact, { ...(typeof payload === "object" ? payload : {}), kind });
    return { id, fact: parsed.success ? parsed.output : null };
  });
}

export async function markSent(tx: Transaction, rows: readonly OutboxRow[]): Promise<void> {
  if (rows.length === 0) return;
  const ids = rows.map(({ id }) => id);
  await tx
    .update(outbox)
    .set({ sentAt: sql`game_now()` })
    .where(inArray(outbox.id, ids));
}

/** Forgets what was told long ago. */
export async function pruneSent(db: Queryable): Promise<void> {
  await db.execute(
    sql`DELETE FROM outbox WHERE sent_at < game_now() - make_interval(mins => ${KEEP_SENT_MINUTES}::int)`,
  );
}

/** The database's clock, ISO 8601 in UTC. */
export async function readClock(db: Queryable): Promise<string> {
  const rows = await db.execute(
    sql`SELECT to_char(game_now() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS now`,
  );
  return v.parse(clock, [...rows])[0].now;
}
