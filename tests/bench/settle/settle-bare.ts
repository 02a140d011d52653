import { sql } from "drizzle-orm";
import { inTransaction, type Transaction } from "#db/client.ts";
import type { BenchDeps } from "../bench-deps.ts";

const WITHIN_MS = 600_000;
const TABLES = ["calls", "accounts", "entries", "results", "scores"];

/**
 * Settles copies of an event's rows with plain SQL in one transaction: the same payouts, one entry per call, one change per
 * wallet, the results, and the scores of the session and of all sessions. The copies have the same columns, indexes and checks, but no triggers, no journal and
 * no locks, and this settlement could not continue after a crash.
 * @returns the duration with the commit and without the copying, in milliseconds.
 */
export async function settleBare({ pool }: BenchDeps, eventId: number): Promise<number> {
  await inLongTransaction(pool.db, (tx) => copyTables(tx, eventId));
  const startedAt = performance.now();
  await inLongTransaction(pool.db, (tx) => pay(tx, eventId));
  const tookMs = performance.now() - startedAt;
  for (const table of TABLES) await pool.db.execute(sql.raw(`DROP TABLE bare_${table}`));
  return tookMs;
}

function inLongTransaction(
  db: BenchDeps["pool"]["db"],
  work: (tx: Transaction) => Promise<void>,
): Promise<void> {
  return inTransaction(db, async (tx) => {
    await tx.execute(sql.raw(`SET LOCAL statement_timeout = ${WITHIN_MS}`));
    await work(tx);
  });
}

async function copyTables(tx: Transaction, eventId: number): Promise<void> {
  for (const table of TABLES) {
    await tx.execute(sql.raw(`CREATE TABLE bare_${table} (LIKE ${table} INCLUDING ALL)`));
  }
  await tx.execute(sql.raw(`ALTER TABLE bare_accounts SET (fillfactor = 70)`));
  await tx.execute(
    sql`INSERT INTO bare_calls OVERRIDING SYSTEM VALUE SELECT * FROM calls WHERE event_id = ${eventId}`,
  );
  await tx.execute(sql`INSERT INTO bare_accounts OVERRIDING SYSTEM VALUE
    SELECT * FROM accounts WHERE user_id IN (SELECT user_id FROM calls WHERE event_id = ${eventId})`);
  await tx.execute(sql`ANALYZE bare_calls, bare_accounts`);
}

async function pay(tx: Transaction, eventId: number): Promise<void> {
  await tx.execute(sql`UPDATE bare_calls c
    SET state = 'resolved', payout_cents = p.payout_cents, outcome = p.outcome, ended_at = now(), updated_at = now()
    FROM payouts(${eventId}, 1, 'true', NULL) p WHERE p.call_id = c.id`);
  await tx.execute(sql`INSERT INTO bare_entries (journal_id, account_id, call_id, amount_cents, balance_after_cents,
      held_after_cents, account_version, listed, created_at)
    SELECT 1, a.id, c.id, c.payout_cents - c.wager_cents,
      a.posted_cents + sum(c.payout_cents - c.wager_cents) OVER so_far, 0, a.version + row_number() OVER so_far, false, now()
    FROM bare_calls c JOIN bare_accounts a ON a.id = c.account_id WHERE c.payout_cents <> c.wager_cents
    WINDOW so_far AS (PARTITION BY a.id ORDER BY c.id)`);
  await tx.execute(sql`UPDATE bare_accounts a SET posted_cents = posted_cents + s.net, held_cents = held_cents - s.wager,
      held_calls = held_calls - s.n, moves_count = moves_count + s.n, resolved_calls = resolved_calls + s.n,
      version = version + s.n, revision = revision + 1
    FROM (
      SELECT account_id, sum(payout_cents - wager_cents) AS net, sum(wager_cents) AS wager, count(*) AS n
      FROM bare_calls GROUP BY 1
    ) s WHERE a.id = s.account_id`);
  await tx.execute(sql`INSERT INTO bare_results (event_id, user_id, session_id, resolved_at, calls_count, net_cents,
      wagered_cents, returned_cents, refunded)
    SELECT c.event_id, c.user_id, e.session_id, now(), count(*), sum(c.payout_cents - c.wager_cents), sum(c.wager_cents),
      sum(c.payout_cents), false
    FROM bare_calls c JOIN events e ON e.id = c.event_id GROUP BY 1, 2, 3`);
  await tx.execute(sql`INSERT INTO bare_scores (user_id, session_id, played, wins, losses, refunded, calls_count, net_cents,
      wagered_cents, returned_cents, current_streak, best_streak, last_resolved_at, last_event_id)
    SELECT r.user_id, scope.session_id, 1, (net_cents > 0)::int, (net_cents < 0)::int, 0, calls_count, net_cents,
      wagered_cents, returned_cents, (net_cents > 0)::int, (net_cents > 0)::int, resolved_at, event_id
    FROM bare_results r CROSS JOIN LATERAL (VALUES (NULL), (r.session_id)) scope (session_id)`);
}
