import { sql } from "drizzle-orm";
import * as v from "valibot";
import type { Queryable } from "../client.ts";
import { queryRow, wholeNumber } from "./query.ts";

/** True if play money was ever granted under this key, even if it was taken back later. */
export async function wasGranted(db: Queryable, idempotencyKey: string): Promise<boolean> {
  const { granted } = await queryRow(
    db,
    v.object({ granted: v.boolean() }),
    sql`SELECT EXISTS (SELECT 1 FROM journal WHERE idempotency_key = 'grant-' || ${idempotencyKey}) AS granted`,
  );
  return granted;
}

/** How much play money was granted under this key; 0 if none was. */
export async function readGrantedCents(db: Queryable, idempotencyKey: string): Promise<number> {
  const { cents } = await queryRow(
    db,
    v.object({ cents: wholeNumber }),
    sql`SELECT coalesce(-sum(e.amount_cents), 0) AS cents
      FROM journal j JOIN entries e ON e.journal_id = j.id JOIN accounts a ON a.id = e.account_id AND a.kind = 'promo'
      WHERE j.idempotency_key = 'grant-' || ${idempotencyKey}`,
  );
  return cents;
}
