import { sql } from "drizzle-orm";
import * as v from "valibot";
import { queryRow, wholeNumber } from "#db/ledger/query.ts";
import { closeEvent } from "#src/show/events/close-event.ts";
import type { EventRow } from "#src/show/events/with-event.ts";
import { buildEvent, buildRunningSession } from "#tests/support/build.ts";
import { inLongTransaction } from "#tests/support/in-long-transaction.ts";
import type { BenchDeps } from "../bench-deps.ts";

const BALANCE_CENTS = 10_000;

/** An event with many calls, one per player, and the lowest id of these players. */
export type LargeEvent = { event: EventRow; firstUserId: number };

/**
 * Builds a closed event with this many calls of 0.01 to 5.00, one per player, three of five on True, in a session of its own. Bulk inserts replace
 * the verbs, but the same triggers run.
 */
export async function buildLargeEvent(deps: BenchDeps, callsCount: number): Promise<LargeEvent> {
  const { id: sessionId } = await buildRunningSession(deps);
  const event = await buildEvent(deps, "open", { sessionId, durationSeconds: 1_800 });
  const firstUserId = await inLongTransaction(deps.pool.db, async (tx) => {
    const { first } = await queryRow(tx, v.object({ first: wholeNumber }))`
      SELECT coalesce(max(id), 0) + 1 AS first FROM users`;
    await tx.execute(sql`INSERT INTO users (username, robot)
      SELECT 'large_' || ${first}::bigint + n, true FROM generate_series(1, ${callsCount}::int) n`);
    await tx.execute(sql`INSERT INTO accounts (kind, user_id)
      SELECT kind, u.id FROM users u CROSS JOIN unnest(ARRAY['wallet', 'receivable']) kind
      WHERE u.id >= ${first} ORDER BY u.id, kind DESC`);
    // One grant for each player.
    await tx.execute(sql`WITH granted AS (
        INSERT INTO journal (kind, idempotency_key, request_hash, reason)
          SELECT 'grant', 'grant-welcome-' || id, '', 'Welcome' FROM users WHERE id >= ${first} ORDER BY id
        RETURNING id
      ), numbered AS (
        SELECT id, row_number() OVER (ORDER BY id) AS n FROM granted
      ), wallet AS (
        SELECT id, row_number() OVER (ORDER BY user_id) AS n FROM accounts WHERE kind = 'wallet' AND user_id >= ${first}
      )
      INSERT INTO entries (journal_id, account_id, amount_cents, balance_after_cents, held_after_cents, account_version)
      SELECT j.id, w.id, ${BALANCE_CENTS}::bigint, ${BALANCE_CENTS}::bigint, 0, 1 FROM numbered j JOIN wallet w USING (n)
      UNION ALL
      SELECT j.id, a.id, -${BALANCE_CENTS}::bigint, a.posted_cents - ${BALANCE_CENTS}::bigint * j.n, 0, a.version + j.n
      FROM numbered j, accounts a WHERE a.kind = 'promo'`);
    await tx.execute(sql`INSERT INTO calls (user_id, account_id, event_id, spot_id, round, wager_cents, idempotency_key,
        placed_at)
      SELECT a.user_id, a.id, ${event.id}, s.id, 1, 1 + (a.user_id * 7919) % 500, 'large-event', game_now()
      FROM accounts a JOIN spots s ON s.event_id = ${event.id}
        AND s.side = CASE WHEN a.user_id % 5 < 3 THEN 'true' ELSE 'false' END
      WHERE a.kind = 'wallet' AND a.user_id >= ${first} ORDER BY a.user_id`);
    return first;
  });
  await deps.pool.db.execute(sql`ANALYZE users, accounts, entries, calls, spots`);
  return { event: await closeEvent(deps, { eventId: event.id, actor: null }), firstUserId };
}
