import type { Transaction } from "#db/client.ts";
import { sessions } from "#db/schema/sessions.ts";
import { invalid } from "#src/base/refusal.ts";
import { findFreeSlug } from "./find-free-slug.ts";
import type { SessionRow } from "./with-session.ts";

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
