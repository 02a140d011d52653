import { asc, eq, gt, and, not, sql } from "drizzle-orm";
import type { Queryable } from "#db/client.ts";
import { prepareQuery } from "#db/prepare-query.ts";
import { sessions } from "#db/schema/sessions.ts";
import { hasPrivate } from "#src/play/access-denied.ts";

/** The planned session that starts next, and that everybody may see; null if none is planned. */
export async function findNextStart(
  db: Queryable,
): Promise<{ slug: string; name: string; startsAt: string } | null> {
  const [row] = await findPlanned(db).execute();
  if (row === undefined || row.startsAt === null) return null;
  return { slug: row.slug, name: row.name, startsAt: row.startsAt.toISOString() };
}

const findPlanned = prepareQuery((db) =>
  db
    .select({ slug: sessions.slug, name: sessions.name, startsAt: sessions.startsAt })
    .from(sessions)
    .where(
      and(
        eq(sessions.state, "pending"),
        gt(sessions.startsAt, sql`game_now()`),
        not(hasPrivate(sessions.settings)),
      ),
    )
    .orderBy(asc(sessions.startsAt))
    .limit(1)
    .prepare("find_next_start"),
);
