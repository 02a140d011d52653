import { type SQL, sql } from "drizzle-orm";
import * as v from "valibot";
import { inTransaction, type Queryable, type Transaction } from "#db/client.ts";
import { queryColumn, queryRow, wholeNumber } from "#db/ledger/query.ts";
import { leaderboardChanges } from "#db/schema/exclusions.ts";
import { writeAudit } from "#src/base/audit.ts";
import { ago, deleteOldRows } from "#src/base/delete-old-rows.ts";
import type { Deps } from "#src/base/deps.ts";
import { recordChange } from "#src/base/outbox/record-leaderboard-change.ts";
import { writeFact } from "#src/base/outbox/write-fact.ts";
import { requireSessionId } from "#src/play/find-session-id.ts";
import { expectedResults, expectedScores } from "./expected-scores.ts";
import type { RecomputeAnswer } from "./schemas.ts";

const differences = v.object({ results: wholeNumber, scores: wholeNumber });

/**
 * Recomputes results and scores from the calls, and changes only the rows that differ. Settlements wait until the
 * transaction ends; reads and new calls do not.
 * @param sessionId the results of this session, and all scores of its players; null: everything.
 * @returns the ids of the players whose rows were repaired.
 */
export async function repairScores(tx: Transaction, sessionId: number | null): Promise<Set<number>> {
  await tx.execute(sql`LOCK TABLE results, scores IN SHARE ROW EXCLUSIVE MODE`);
  const repaired = new Set([...(await repairResults(tx, sessionId)), ...(await repairSums(tx, sessionId))]);
  if (repaired.size > 0) await recordChange(tx, null);
  return repaired;
}

function repairResults(tx: Transaction, sessionId: number | null): Promise<number[]> {
  const inScope = sessionId === null ? sql`TRUE` : sql`r.session_id = ${sessionId}`;
  return runRepair(
    tx,
    sql`
    WITH ${expectedResults(sessionId)},
    stored AS (SELECT r.* FROM results r WHERE ${inScope}),
    wrong AS (TABLE expected_results EXCEPT TABLE stored),
    deleted AS (
      DELETE FROM results r WHERE ${inScope} AND NOT EXISTS (
        SELECT FROM expected_results x WHERE x.event_id = r.event_id AND x.user_id = r.user_id
      ) RETURNING r.user_id
    ),
    upserted AS (
      INSERT INTO results TABLE wrong ON CONFLICT (event_id, user_id) DO UPDATE SET session_id = excluded.session_id,
        resolved_at = excluded.resolved_at, calls_count = excluded.calls_count, net_cents = excluded.net_cents,
        wagered_cents = excluded.wagered_cents, returned_cents = excluded.returned_cents, refunded = excluded.refunded
      RETURNING user_id
    )`,
  );
}

/** Repairs scores from the results, which were repaired before. */
function repairSums(tx: Transaction, sessionId: number | null): Promise<number[]> {
  const playerIds = sql`(SELECT user_id FROM results WHERE session_id = ${sessionId}
    UNION SELECT user_id FROM scores WHERE session_id = ${sessionId})`;
  const inScope = sessionId === null ? sql`TRUE` : sql`k.user_id IN ${playerIds}`;
  return runRepair(
    tx,
    sql`
    WITH own_results AS MATERIALIZED (SELECT k.* FROM results k WHERE ${inScope}),
    ${expectedScores(sql`own_results`)},
    stored AS (SELECT k.* FROM scores k WHERE ${inScope}),
    wrong AS (TABLE expected_scores EXCEPT TABLE stored),
    deleted AS (
      DELETE FROM scores k WHERE ${inScope} AND NOT EXISTS (
        SELECT FROM expected_scores x WHERE x.user_id = k.user_id AND x.session_id IS NOT DISTINCT FROM k.session_id
      ) RETURNING k.user_id
    ),
    upserted AS (
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

/** @param statements a WITH clause whose `deleted` and `upserted` return user ids. */
function runRepair(tx: Transaction, statements: SQL): Promise<number[]> {
  return queryColumn(tx, wholeNumber)`
    ${statements} SELECT user_id FROM deleted UNION SELECT user_id FROM upserted`;
}

/** Recomputes the scores of a session (or of all) from the calls, and repairs those that differ. */
export async function recomputeScores(
  deps: Deps,
  { actor, sessionId: slugOrId }: { actor: { id: number }; sessionId?: string | undefined },
): Promise<RecomputeAnswer> {
  const sessionId = (await requireSessionId(deps.pool.db, slugOrId, "host")) ?? null;
  const mendedPlayersCount = await inTransaction(deps.pool.db, async (tx) => {
    const { size } = await repairScores(tx, sessionId);
    await writeAudit(tx, {
      actor,
      action: "recompute_scores",
      subject: sessionId === null ? { type: "leaderboard", id: 0 } : { type: "session", id: sessionId },
      sessionId,
      after: { mendedPlayersCount: size },
    });
    if (size > 0 && sessionId !== null) await writeFact(tx, { kind: "leaders_changed", sessionId });
    return size;
  });
  deps.notifyRelay();
  return { recomputation: { mendedPlayersCount } };
}

/** How many rows of each table are missing, extra, or different from what the calls give. */
type ScoreDifferences = v.InferOutput<typeof differences>;

/** Compares the stored results and scores with the calls, in one snapshot. Both counts should be 0. It reads every call. */
export function compareScores(db: Queryable): Promise<ScoreDifferences> {
  return queryRow(db, differences)`WITH ${expectedResults(null)}, ${expectedScores(sql`expected_results`)}
  SELECT
    (SELECT count(*) FROM (
      (TABLE expected_results EXCEPT TABLE results) UNION ALL (TABLE results EXCEPT TABLE expected_results)
    ) AS differing) AS results,
    (SELECT count(*) FROM (
      (TABLE expected_scores EXCEPT TABLE scores) UNION ALL (TABLE scores EXCEPT TABLE expected_scores)
    ) AS differing) AS scores`;
}

/*
 * Scores are updated with each settlement. Counting all calls for a wallet's metrics or a leaderboard would take longer the
 * more is played. `results` has a player's net on an event, `scores` the sums of a player's results. Both follow from the
 * calls: a job and `bun run reconcile` compare them, and repair-scores.ts recomputes them.
 */

/** A range of player ids, both ends included: a large settlement updates its scores in several transactions. */
export type PlayerRange = { from: number; to: number };

/**
 * Updates the results of an event, and the scores of its players, from its calls (db/sql/functions/update-scores.sql). Call it in
 * the transaction that settles, corrects or resets the event, after the event itself was changed. Calling it again changes
 * nothing.
 */
export async function updateScores(
  tx: Transaction,
  eventId: number,
  { from, to }: PlayerRange = { from: 1, to: Number.MAX_SAFE_INTEGER },
): Promise<void> {
  await tx.execute(sql`SELECT update_scores(${eventId}, ${from}, ${to})`);
}

const RETENTION_MINUTES = 10;
/** It runs every minute. What a longer break left is deleted after the leaderboard's next change. */
const RECENT_MINUTES = 60;

/** Deletes changes older than 10 minutes. The newest of each leaderboard stays, so that no version is ever repeated. */
export async function pruneChanges({ pool }: Pick<Deps, "pool">): Promise<void> {
  await deleteOldRows(pool.db, {
    table: leaderboardChanges,
    old: sql`id IN (
      SELECT older.id FROM (
        SELECT session_id, max(id) AS newest FROM leaderboard_changes
        WHERE created_at > ${ago(RECENT_MINUTES, "mins")} GROUP BY session_id
      ) changed JOIN leaderboard_changes older ON older.session_id = changed.session_id AND older.id < changed.newest
      WHERE older.created_at < ${ago(RETENTION_MINUTES, "mins")}
      UNION ALL
      SELECT id FROM leaderboard_changes WHERE session_id IS NULL AND created_at < ${ago(RETENTION_MINUTES, "mins")}
        AND id < (SELECT max(id) FROM leaderboard_changes WHERE session_id IS NULL))`,
  });
}
