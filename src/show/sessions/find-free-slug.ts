import { sql } from "drizzle-orm";
import type { Transaction } from "#db/client.ts";
import { sessions } from "#db/schema/sessions.ts";
import { slugFrom } from "#src/play/slug-from.ts";

/** The advisory lock's class. Transactions that look for the same free slug run one at a time. */
const SLUG_LOCK = 7703;

/**
 * A free slug for a session of this name: `friday-night`, then `friday-night-2`. No other transaction gets the same one until
 * this one ends.
 */
export async function findFreeSlug(tx: Transaction, name: string): Promise<string> {
  const base = slugFrom(name);
  await tx.execute(sql`SELECT pg_advisory_xact_lock(${SLUG_LOCK}::int, hashtext(${base}))`);
  const [row] = await tx
    .select({
      taken: sql<boolean>`bool_or(${sessions.slug} = ${base})`,
      last: sql<number | null>`max(substring(${sessions.slug} from ${numbered(base)})::int)`,
    })
    .from(sessions)
    .where(sql`${sessions.slug} ~ ${`^${base}(-[0-9]{1,9})?$`}`);
  if (row?.taken !== true) return base;
  return `${base}-${(row.last ?? 1) + 1}`;
}

const numbered = (base: string) => `^${base}-([0-9]{1,9})$`;
