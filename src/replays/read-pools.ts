import { sql } from "drizzle-orm";
import * as v from "valibot";
import type { Queryable } from "#db/client.ts";
import { wholeNumber } from "#db/ledger/query.ts";
import type { ReplayPoolChange } from "./contract.ts";

const poolRow = v.object({
  /** Seconds since 1970. */
  second: wholeNumber,
  eventId: wholeNumber,
  round: wholeNumber,
  trueCents: wholeNumber,
  trueCalls: wholeNumber,
  falseCents: wholeNumber,
  falseCalls: wholeNumber,
});

/** The pools that have changed by a second. */
export type PoolsAt = { atMs: number; pools: ReplayPoolChange[] };

const SECOND_MS = 1_000;

/**
 * The pools of a session's events, at each second at which one has changed, in order. They follow from the calls: a call counts
 * from its placing, and no longer when it is destroyed. Both stay for good, so this is exact for sessions without a log too.
 * There are at most as many rows as seconds in which players could call, however many calls there are.
 */
export async function readPools(db: Queryable, sessionId: number): Promise<PoolsAt[]> {
  const rows = await db.execute(sql`
    WITH moves AS (
      SELECT c.event_id, c.round, s.side, m.at, m.sign * c.wager_cents AS cents, m.sign
      FROM events e JOIN calls c ON c.event_id = e.id JOIN spots s ON s.id = c.spot_id
        CROSS JOIN LATERAL (
          SELECT c.placed_at AS at, 1 AS sign UNION ALL
          SELECT c.ended_at, -1 WHERE c.state = 'soft_destroyed'
        ) m
      WHERE e.session_id = ${sessionId}
    ),
    seconds AS (
      SELECT event_id, round, ceil(extract(epoch FROM at)) AS second,
        coalesce(sum(cents) FILTER (WHERE side = 'true'), 0) AS true_cents,
        coalesce(sum(sign) FILTER (WHERE side = 'true'), 0) AS true_calls,
        coalesce(sum(cents) FILTER (WHERE side = 'false'), 0) AS false_cents,
        coalesce(sum(sign) FILTER (WHERE side = 'false'), 0) AS false_calls
      FROM moves GROUP BY 1, 2, 3
    )
    SELECT event_id AS "eventId", round, second,
      sum(true_cents) OVER w AS "trueCents", sum(true_calls) OVER w AS "trueCalls",
      sum(false_cents) OVER w AS "falseCents", sum(false_calls) OVER w AS "falseCalls"
    FROM seconds WINDOW w AS (PARTITION BY event_id, round ORDER BY second)
    ORDER BY second, event_id, round`);
  const pools = v.parse(v.array(poolRow), [...rows]);
  return [...Map.groupBy(pools, ({ second }) => second)].map(([second, changed]) => ({
    atMs: second * SECOND_MS,
    pools: changed.map(({ second: _second, ...pool }) => pool),
  }));
}
