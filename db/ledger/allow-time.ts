import { sql } from "drizzle-orm";
import type { Transaction } from "../client.ts";

/** Closing or deciding a million calls takes longer than the usual statement timeout. */
const CROWD_WITHIN_MS = 600_000;

/** Raises the statement timeout of this transaction to what a large settlement needs. */
export async function allowTimeForCrowd(tx: Transaction): Promise<void> {
  await tx.execute(sql`SELECT set_config('statement_timeout', ${String(CROWD_WITHIN_MS)}, true)`);
}
