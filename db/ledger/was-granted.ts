import { sql } from "drizzle-orm";
import * as v from "valibot";
import type { Queryable } from "../client.ts";
import { queryRow } from "./query.ts";

/** True if play money was ever granted under this key, even if it was taken back later. */
export async function wasGranted(db: Queryable, idempotencyKey: string): Promise<boolean> {
  const { granted } = await queryRow(
    db,
    v.object({ granted: v.boolean() }),
    sql`SELECT EXISTS (SELECT 1 FROM journal WHERE idempotency_key = 'grant-' || ${idempotencyKey}) AS granted`,
  );
  return granted;
}
