import { sql } from "drizzle-orm";
import * as v from "valibot";
import { buildRunningSession } from "#tests/support/build.ts";
import type { BenchDeps } from "./bench-deps.ts";

const rowId = v.pipe(v.string(), v.toNumber());
const dueEvent = v.object({
  id: rowId,
  /** In milliseconds since 1970. */
  dueMs: v.number(),
  version: v.number(),
  spotIds: v.array(rowId),
});
export type DueEvent = v.InferOutput<typeof dueEvent>;

/**
 * Inserts open events of a running session whose closes are due at random times within `withinMs`, after `leadMs`. Bulk
 * inserts replace the verbs.
 */
export async function openDueEvents(
  deps: BenchDeps,
  { count, leadMs, withinMs }: { count: number; leadMs: number; withinMs: number },
): Promise<DueEvent[]> {
  const { id: sessionId } = await buildRunningSession(deps);
  const due = sql`game_now() + make_interval(secs => (${leadMs} + random() * ${withinMs}) / 1000.0)`;
  return deps.pool.db.transaction(async (tx) => {
    await tx.execute(
      sql`CREATE TEMP TABLE made ON COMMIT DROP AS WITH new AS (
        INSERT INTO events (session_id, title)
        SELECT ${sessionId}::bigint, 'Will it happen ' || n || '?' FROM generate_series(1, ${count}::int) n RETURNING id
      ) SELECT id FROM new`,
    );
    await tx.execute(
      sql`INSERT INTO spots (event_id, side) SELECT id, side FROM made, unnest(ARRAY['true', 'false']) AS side`,
    );
    await tx.execute(sql`UPDATE events SET state = 'visible' WHERE id IN (SELECT id FROM made)`);
    await tx.execute(
      sql`UPDATE events SET state = 'open', opens_at = game_now(), opened_at = game_now(), due_at = due, closes_at = due,
          next_transition = 'close_event', schedule_version = 1
        FROM (SELECT id AS made_id, ${due} AS due FROM made) planned WHERE id = made_id`,
    );
    await tx.execute(sql`UPDATE spots SET state = 'open' WHERE event_id IN (SELECT id FROM made)`);
    const rows = await tx.execute(
      sql`SELECT id, (extract(epoch FROM due_at) * 1000)::float8 AS "dueMs", schedule_version AS version,
          (SELECT array_agg(s.id::text) FROM spots s WHERE s.event_id = events.id) AS "spotIds"
        FROM events JOIN made USING (id)`,
    );
    return v.parse(v.array(dueEvent), [...rows]);
  });
}
