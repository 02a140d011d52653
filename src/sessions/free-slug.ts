import { sql } from "drizzle-orm";
import type { Transaction } from "#db/client.ts";
import { sessions } from "#db/schema/sessions.ts";

const SLUG_LENGTH_MAX = 60;
const RESERVED = new Set(["", "new"]);
/** The number under which transactions that look for a free slug wait for each other. */
const SLUG_GATE = 7703;

/**
 * A slug for a session of this name that no other has: `friday-night`, then `friday-night-2`. Nobody else gets the same one
 * before the transaction ends.
 */
export async function freeSlug(tx: Transaction, name: string): Promise<string> {
  const base = slugOf(name);
  await tx.execute(sql`SELECT pg_advisory_xact_lock(${SLUG_GATE}::int, hashtext(${base}))`);
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

/** Lower-case letters and digits with single hyphens between them, never a number alone nor a reserved word. */
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
