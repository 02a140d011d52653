import { asc, getTableColumns, type SQL, sql } from "drizzle-orm";
import type { Queryable } from "#db/client.ts";
import { CURRENT_SEASON, type SeasonState } from "#db/lists/seasons.ts";
import { onlyDigits, slugFormat } from "#db/lists/session-address.ts";
import { seasons } from "#db/schema/seasons.ts";
import { batchReads } from "#src/base/batcher.ts";
import { notFound } from "#src/base/refusal.ts";
import { idIn } from "#src/http/check-input.ts";

/** A season, and what it is now by the clock of the database. `daysLeft`: until its end, with the day that has begun. */
export type SeasonRow = typeof seasons.$inferSelect & { state: SeasonState; daysLeft: number };

const runs = sql`${seasons.startsAt} <= game_now() AND game_now() < ${seasons.endsAt}`;

const columns = {
  ...getTableColumns(seasons),
  state: sql<SeasonState>`CASE WHEN ${runs} THEN 'running' WHEN game_now() < ${seasons.startsAt} THEN 'planned' ELSE 'ended' END`,
  daysLeft: sql<number>`greatest(0, ceil(extract(epoch FROM ${seasons.endsAt} - game_now()) / 86400))::int`,
};

export function selectSeasons(db: Queryable, where?: SQL): Promise<SeasonRow[]> {
  return db.select(columns).from(seasons).where(where).orderBy(asc(seasons.startsAt));
}

/**
 * The season that a request names: by its slug, by its id, or as `current`. Null if there is none. All who ask for the same one at
 * the same moment share one read.
 */
export const findSeason = batchReads(
  (name: string) => name,
  async (db: Queryable, [name]) => {
    const where = whereNamed(name);
    const [row = null] = where === null ? [] : await selectSeasons(db, where);
    return () => row;
  },
);

function whereNamed(name: string): SQL | null {
  if (name === CURRENT_SEASON) return runs;
  if (onlyDigits.test(name)) {
    const id = idIn(name);
    return id === null ? null : sql`${seasons.id} = ${id}`;
  }
  return slugFormat.test(name) ? sql`${seasons.slug} = ${name}` : null;
}

/**
 * The same for a season that must exist.
 * @throws Refusal 404 for an unknown season, and for `current` while none runs.
 */
export async function requireSeason(db: Queryable, name: string): Promise<SeasonRow> {
  const season = await findSeason(db, name);
  if (season === null) throw notFound();
  return season;
}
