import { and, eq, inArray, isNotNull, or, sql } from "drizzle-orm";
import type { Queryable } from "#db/client.ts";
import { signIns, users } from "#db/schema/users.ts";
import { isUnconfirmedNow } from "#db/sign-in-conditions.ts";

/**
 * Finds those of these sign-ins that are no longer valid: ended, expired, or of a user who was deactivated or has not
 * confirmed the email address in time. A long time without requests does not end a sign-in here: the client may be watching.
 */
export async function findEndedSignIns(db: Queryable, ids: readonly string[]): Promise<string[]> {
  if (ids.length === 0) return [];
  const rows = await db
    .select({ id: signIns.id })
    .from(signIns)
    .innerJoin(users, eq(users.id, signIns.userId))
    .where(
      and(
        inArray(signIns.id, [...new Set(ids)]),
        or(
          isNotNull(signIns.endedAt),
          sql`${signIns.expiresAt} <= clock_timestamp()`,
          isNotNull(users.deactivatedAt),
          isUnconfirmedNow,
        ),
      ),
    );
  return rows.map(({ id }) => id);
}
