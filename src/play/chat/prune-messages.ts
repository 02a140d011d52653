import { sql } from "drizzle-orm";
import { messages } from "#db/schema/messages.ts";
import { ago, deleteOldestRows } from "#src/base/delete-old-rows.ts";
import type { Deps } from "#src/base/deps.ts";

const RETENTION_DAYS = 365;

/** Deletes chat messages that are older than a year, of players and of hosts, deleted or not. */
export async function pruneMessages({ pool }: Pick<Deps, "pool">): Promise<void> {
  const old = sql`created_at < ${ago(RETENTION_DAYS, "days")}`;
  await deleteOldestRows(pool.db, { table: messages, old });
}
