import { sql } from "drizzle-orm";
import type { Transaction } from "../client.ts";

/** To close or decide a million calls takes longer than a statement usually may. */
const CROWD_WITHIN_MS = 600_000;

/** Gives the statements of this transaction as much time as a crowd takes. */
export async function allowTimeForCrowd(tx: Transaction): Promise<void> {
  await tx.execute(sql`SELECT set_config('statement_timeout', ${String(CROWD_WITHIN_MS)}, true)`);
}
