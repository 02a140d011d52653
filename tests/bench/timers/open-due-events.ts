import { sql } from "drizzle-orm";
import * as v from "valibot";
import type { Transaction } from "#db/client.ts";
import { placeCalls } from "#db/ledger/place-calls.ts";
import { buildRunningSession } from "#tests/support/build.ts";
import { closeCalls } from "#tests/support/close-calls.ts";
import type { BenchDeps } from "../bench-deps.ts";

const rowId = v.pipe(v.string(), v.toNumber());
const dueEvent = v.object({
  id: rowId,
  /** In milliseconds since 1970. */
  dueMs: v.number(),
  version: v.number(),
  spotIds: v.array(rowId),
});
export type DueEvent = v.InferOutput<typeof dueEvent>;

/** `count` transitions at random times within `withinMs`, after `leadMs`. */
export type DuePlan = {
  transition: "close_event" | "resolve";
  count: number;
  leadMs: number;
  withinMs: number;
};

/** The calls of each event that is resolved. */
const CALLS = 10;

/**
 * Inserts events of a running session whose closes are due, or whose automatic results. Bulk inserts replace the verbs.
 * @param players place the calls on events that are resolved.
 */
export async function openDueEvents(
  deps: BenchDeps,
  plan: DuePlan,
  players: readonly { id: number }[],
): Promise<DueEvent[]> {
  const { id: sessionId } = await buildRunningSession(deps);
  const ids = await deps.pool.db.transaction((tx) => openEvents(tx, sessionId, plan.count));
  if (plan.transition === "resolve") await closeWithCalls(deps, ids, players);
  const { db } = deps.pool;
  const isDue = sql`id = ANY (${`{${ids.join(",")}}`}::bigint[])`;
  const due = sql`now() + make_interval(secs => (${plan.leadMs} + random() * ${plan.withinMs}) / 1000.0)`;
  await db.execute(
    sql`UPDATE events SET due_at = ${due}, next_transition = ${plan.transition},
        auto_result = CASE WHEN state = 'closed' THEN 'random' END WHERE ${isDue}`,
  );
  // An open event closes when its transition is due.
  await db.execute(sql`UPDATE events SET closes_at = due_at WHERE state = 'open' AND ${isDue}`);
  const rows = await db.execute(
    sql`SELECT id, (extract(epoch FROM due_at) * 1000)::float8 AS "dueMs", schedule_version AS version,
        (SELECT array_agg(s.id::text ORDER BY s.side) FROM spots s WHERE s.event_id = events.id) AS "spotIds"
      FROM events WHERE ${isDue} ORDER BY id`,
  );
  return v.parse(v.array(dueEvent), [...rows]);
}

async function openEvents(tx: Transaction, sessionId: number, count: number): Promise<number[]> {
  const rows = await tx.execute(
    sql`INSERT INTO events (session_id, title, resolve_within_seconds)
      SELECT ${sessionId}::bigint, 'Will it happen ' || n || '?', 3600 FROM generate_series(1, ${count}::int) n RETURNING id`,
  );
  const ids = v.parse(v.array(v.object({ id: rowId })), [...rows]).map(({ id }) => id);
  const isNew = (column: string) => sql`${sql.identifier(column)} = ANY (${`{${ids.join(",")}}`}::bigint[])`;
  await tx.execute(
    sql`INSERT INTO spots (event_id, side) SELECT id, side FROM events, unnest(ARRAY['true', 'false']) AS side WHERE ${isNew("id")}`,
  );
  await tx.execute(sql`UPDATE events SET state = 'visible' WHERE ${isNew("id")}`);
  await tx.execute(
    sql`UPDATE events SET state = 'open', opens_at = game_now(), opened_at = game_now(),
        closes_at = game_now() + interval '1 hour', schedule_version = 1 WHERE ${isNew("id")}`,
  );
  await tx.execute(sql`UPDATE spots SET state = 'open' WHERE ${isNew("event_id")}`);
  return ids;
}

async function closeWithCalls(
  { pool }: BenchDeps,
  ids: readonly number[],
  players: readonly { id: number }[],
): Promise<void> {
  const { db } = pool;
  const among = sql`event_id = ANY (${`{${ids.join(",")}}`}::bigint[])`;
  const rows = await db.execute(
    sql`SELECT array_agg(id::text ORDER BY side) AS ids FROM spots WHERE ${among} GROUP BY event_id`,
  );
  for (const { ids: sides } of v.parse(v.array(v.object({ ids: v.array(rowId) })), [...rows])) {
    const placed = await placeCalls(
      pool,
      players.slice(0, CALLS).map(({ id: userId }, index) => ({
        userId,
        spotId: sides[index % 2] ?? Number.NaN,
        wagerCents: 100,
        idempotencyKey: crypto.randomUUID(),
      })),
    );
    if (placed.some(({ code }) => code !== "placed")) throw new Error("a call was not placed");
  }
  await db.transaction(async (tx) => {
    await tx.execute(
      sql`UPDATE events SET state = 'closed', closed_at = game_now() WHERE id = ANY (${`{${ids.join(",")}}`}::bigint[])`,
    );
    await tx.execute(sql`UPDATE spots SET state = 'closed' WHERE ${among}`);
    await closeCalls(tx, ...ids);
  });
}
