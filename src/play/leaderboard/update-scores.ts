import { sql } from "drizzle-orm";
import type { Transaction } from "#db/client.ts";

/*
 * Scores are updated with each settlement. Counting all calls for a wallet's metrics or a leaderboard would take longer the
 * more is played. `results` has a player's net on an event, `scores` the sums of a player's results. Both follow from the
 * calls: a job and `bun run reconcile` compare them, and repair-scores.ts recomputes them.
 */

/** A range of player ids, both ends included: a large settlement updates its scores in several transactions. */
export type PlayerRange = { from: number; to: number };
const allPlayers: PlayerRange = { from: 1, to: Number.MAX_SAFE_INTEGER };

/**
 * Updates the results of an event, and the scores of its players, from its calls (db/sql/functions/update-scores.sql). Call it in
 * the transaction that settles, corrects or resets the event, after the event itself was changed. Calling it again changes
 * nothing.
 */
export async function updateScores(
  tx: Transaction,
  eventId: number,
  { from, to }: PlayerRange = allPlayers,
): Promise<void> {
  await tx.execute(sql`SELECT update_scores(${eventId}, ${from}, ${to})`);
}
