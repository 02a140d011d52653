import { sql } from "drizzle-orm";
import * as v from "valibot";
import { wholeNumber } from "#db/ledger/query.ts";
import type { Deps } from "#src/base/deps.ts";
import { inScope, isRanked } from "./score-conditions.ts";

const row = v.object({ userId: wholeNumber, username: v.string(), netCents: wholeNumber });

/**
 * Who of a session's leaderboard has won the most money: ranks are made by questions, so it may be the last one. Null if nobody has
 * won any. Of equals it is who won more questions.
 */
export async function findMostWon(
  { pool, env }: Pick<Deps, "pool" | "env">,
  sessionId: number,
): Promise<v.InferOutput<typeof row> | null> {
  const rows = await pool.db.execute(sql`
    SELECT s.user_id AS "userId", u.username, s.net_cents AS "netCents"
    FROM scores s JOIN users u ON u.id = s.user_id
    WHERE ${inScope(sessionId)} AND ${isRanked({ sessionId, rankGuests: env.rankGuests })} AND s.net_cents > 0
    ORDER BY s.net_cents DESC, s.wins DESC, s.user_id LIMIT 1`);
  return v.parse(v.array(row), [...rows])[0] ?? null;
}
