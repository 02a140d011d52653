import { sql } from "drizzle-orm";
import * as v from "valibot";
import type { Queryable } from "../client.ts";
import { queryRows, wholeNumber } from "./query.ts";

const correction = v.object({
  userId: wholeNumber,
  /** What the player's calls were paid more (or less, below 0) than by the settlement before. */
  changeCents: wholeNumber,
});
export type Correction = v.InferOutput<typeof correction>;

/** Whom a settlement that corrects another one has paid differently, and by how much; empty for a first settlement. */
export function listCorrections(db: Queryable, settlementId: number): Promise<Correction[]> {
  return queryRows(
    db,
    correction,
    sql`SELECT c.user_id AS "userId", sum(l.payout_cents - b.payout_cents) AS "changeCents"
      FROM settlements s
        JOIN settlements p ON p.event_id = s.event_id AND p.round = s.round AND p.version = s.version - 1
        JOIN settlement_lines l ON l.settlement_id = s.id
        JOIN settlement_lines b ON b.settlement_id = p.id AND b.call_id = l.call_id
        JOIN calls c ON c.id = l.call_id
      WHERE s.id = ${settlementId}
      GROUP BY c.user_id HAVING sum(l.payout_cents - b.payout_cents) <> 0
      ORDER BY c.user_id`,
  );
}
