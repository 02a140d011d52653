import { sql } from "drizzle-orm";
import type { Transaction } from "#db/client.ts";
import { sessions } from "#db/schema/sessions.ts";
import { invalid } from "#src/base/refusal.ts";
import { slugFrom } from "#src/play/slug-from.ts";
import type { SessionRow } from "./with-session.ts";

/** The advisory lock's class. Transactions that look for the same free slug run one at a time. */
const SLUG_LOCK = 7703;

const numbered = (base: string) => `^${base}-([0-9]{1,9})$`;

/** A free slug can only be lost to an admin who enters the same one by hand at the same moment. */
const ATTEMPTS_MAX = 3;

type NewSession = Omit<typeof sessions.$inferInsert, "slug" | "state" | "active"> & {
  /** Made from the name if left out. */
  slug?: string | undefined;
};

/**
 * Inserts a pending session under a unique slug.
 * @throws Refusal 422 for a slug that is taken.
 */
export async function insertSession(tx: Transaction, { slug, ...values }: NewSession): Promise<SessionRow> {
  for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt += 1) {
    const [session] = await tx
      .insert(sessions)
      .values({ ...values, slug: slug ?? (await findFreeSlug(tx, values.name)) })
      .onConflictDoNothing({ target: sessions.slug })
      .returning();
    if (session !== undefined) return session;
    if (slug !== undefined) break;
  }
  throw invalid({ slug: ["has already been taken"] });
}

/**
 * A free slug for a session of this name: `friday-night`, then `friday-night-2`. No other transaction gets the same one until
 * this one ends.
 */
async function findFreeSlug(tx: Transaction, name: string): Promise<string> {
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
