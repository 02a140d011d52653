import { type SQL, sql } from "drizzle-orm";
import * as v from "valibot";
import type { Transaction } from "#db/client.ts";
import { whole } from "#src/wallet/whole.ts";
import { noteChange } from "./note-change.ts";
import { countedResults, countedScores } from "./recount.ts";

/**
 * Counts results and scores anew from the calls, and changes those rows alone that differ. Whoever settles meanwhile waits
 * until the transaction ends; whoever reads or places calls does not.
 * @param sessionId the results of this session, and all scores of its players; null: everything.
 * @returns the players of whom something was mended.
 */
export async function mendScores(tx: Transaction, sessionId: number | null): Promise<Set<number>> {
  await tx.execute(sql`LOCK TABLE results, scores IN SHARE ROW EXCLUSIVE MODE`);
  const mended = new Set([...(await mendResults(tx, sessionId)), ...(await mendSums(tx, sessionId))]);
  if (mended.size > 0) await noteChange(tx, null);
  return mended;
}

function mendResults(tx: Transaction, sessionId: number | null): Promise<number[]> {
  const inScope = sessionId === null ? sql`TRUE` : sql`r.session_id = ${sessionId}`;
  return mend(
    tx,
    sql`
    WITH ${countedResults(sessionId)},
    kept AS (SELECT r.* FROM results r WHERE ${inScope}),
    wrong AS (TABLE counted_results EXCEPT TABLE kept),
    gone AS (
      DELETE FROM results r WHERE ${inScope} AND NOT EXISTS (
        SELECT FROM counted_results c WHERE c.event_id = r.event_id AND c.user_id = r.user_id
      ) RETURNING r.user_id
    ),
    put AS (
      INSERT INTO results TABLE wrong ON CONFLICT (event_id, user_id) DO UPDATE SET session_id = excluded.session_id,
        resolved_at = excluded.resolved_at, calls_count = excluded.calls_count, net_cents = excluded.net_cents,
        wagered_cents = excluded.wagered_cents, returned_cents = excluded.returned_cents, refunded = excluded.refunded
      RETURNING user_id
    )`,
  );
}

/** From the results, which are right by now. */
function mendSums(tx: Transaction, sessionId: number | null): Promise<number[]> {
  const concerned = sql`(SELECT user_id FROM results WHERE session_id = ${sessionId}
    UNION SELECT user_id FROM scores WHERE session_id = ${sessionId})`;
  const inScope = sessionId === null ? sql`TRUE` : sql`k.user_id IN ${concerned}`;
  return mend(
    tx,
    sql`
    WITH own_results AS MATERIALIZED (SELECT k.* FROM results k WHERE ${inScope}),
    ${countedScores(sql`own_results`)},
    kept AS (SELECT k.* FROM scores k WHERE ${inScope}),
    wrong AS (TABLE counted_scores EXCEPT TABLE kept),
    gone AS (
      DELETE FROM scores k WHERE ${inScope} AND NOT EXISTS (
        SELECT FROM counted_scores c WHERE c.user_id = k.user_id AND c.session_id IS NOT DISTINCT FROM k.session_id
      ) RETURNING k.user_id
    ),
    put AS (
      INSERT INTO scores TABLE wrong ON CONFLICT (user_id, session_id) DO UPDATE SET played = excluded.played,
        wins = excluded.wins, losses = excluded.losses, refunded = excluded.refunded,
        calls_count = excluded.calls_count, net_cents = excluded.net_cents, wagered_cents = excluded.wagered_cents,
        returned_cents = excluded.returned_cents, current_streak = excluded.current_streak,
        best_streak = excluded.best_streak, last_resolved_at = excluded.last_resolved_at,
        last_event_id = excluded.last_event_id, stale = excluded.stale
      RETURNING user_id
    )`,
  );
}

const userRows = v.array(v.object({ userId: whole }));

/** @param statements a WITH clause that deletes as `gone` and writes as `put`. */
async function mend(tx: Transaction, statements: SQL): Promise<number[]> {
  const rows = await tx.execute(sql`${statements}
    SELECT user_id AS "userId" FROM gone UNION SELECT user_id FROM put`);
  return v.parse(userRows, [...rows]).map(({ userId }) => userId);
}
