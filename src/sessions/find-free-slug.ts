import { sql } from "drizzle-orm";
import type { Transaction } from "#db/client.ts";
import { sessions } from "#db/schema/sessions.ts";

const SLUG_LENGTH_MAX = 60;
const RESERVED = new Set(["", "new"]);
/** The advisory lock's class. Transactions that look for the same free slug run one at a time. */
const SLUG_LOCK = 7703;

/**
 * A free slug for a session of this name: `friday-night`, then `friday-night-2`. No other transaction gets the same one until
 * this one ends.
 */
export async function findFreeSlug(tx: Transaction, name: string): Promise<string> {
  const base = slugOf(name);
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

/** Lower-case letters and digits with single hyphens between them; never only digits, never a reserved word. */
function slugOf(name: string): string {
  const slug = name
    .normalize("NFKD")
    .replaceAll(/\p{Mark}/gu, "")
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .slice(0, SLUG_LENGTH_MAX)
    .replaceAll(/^-+|-+$/g, "");
  return RESERVED.has(slug) || /^\d+$/.test(slug) ? `session-${slug}`.replace(/-$/, "") : slug;
}
