import { sql } from "drizzle-orm";
import type { DatabasePool } from "#db/client.ts";

/** What the house has given this player so far, in cents. */
export async function readHouseGrants(pool: DatabasePool, userId: number): Promise<number> {
  const [row] = await pool.db.execute(sql`SELECT coalesce(sum(e.amount_cents), 0)::int AS cents
    FROM journal j JOIN entries e ON e.journal_id = j.id JOIN accounts a ON a.id = e.account_id AND a.user_id = ${userId}
    WHERE j.kind = 'grant' AND starts_with(j.idempotency_key, 'grant-house-')`);
  return Number(row?.["cents"]);
}
