import { and, desc, gt, isNotNull, isNull, lte, or, sql } from "drizzle-orm";
import type { Queryable } from "#db/client.ts";
import { troubles } from "#db/schema/troubles.ts";
import { ago, deleteOldRows } from "#src/base/delete-old-rows.ts";
import type { Deps } from "#src/base/deps.ts";

/** A trouble that nobody has seen for so long is over: its process has ended. */
const UNSEEN_MAX_SECONDS = 10;
const KEPT_DAYS = 30;

export type TroubleRow = typeof troubles.$inferSelect;

const lately = sql`game_now() - make_interval(secs => ${UNSEEN_MAX_SECONDS})`;

/** What is wrong now, the longest first. */
export function listTroubles(db: Queryable): Promise<TroubleRow[]> {
  return db
    .select()
    .from(troubles)
    .where(and(isNull(troubles.endedAt), gt(troubles.seenAt, lately)))
    .orderBy(troubles.since, troubles.id);
}

/** What was wrong and is over, the newest first. One whose process has ended is over since it was seen last. */
export async function listPastTroubles(
  db: Queryable,
  limit: number,
): Promise<(TroubleRow & { endedAt: Date })[]> {
  const rows = await db
    .select()
    .from(troubles)
    .where(or(isNotNull(troubles.endedAt), lte(troubles.seenAt, lately)))
    .orderBy(desc(troubles.since), desc(troubles.id))
    .limit(limit);
  return rows.map((row) => ({ ...row, endedAt: row.endedAt ?? row.seenAt }));
}

/** Deletes what is over for long. */
export async function pruneTroubles({ pool }: Pick<Deps, "pool">): Promise<void> {
  const old = sql`${troubles.since} < ${ago(KEPT_DAYS, "days")} AND ${troubles.seenAt} < ${ago(KEPT_DAYS, "days")}`;
  await deleteOldRows(pool.db, { table: troubles, old });
}
