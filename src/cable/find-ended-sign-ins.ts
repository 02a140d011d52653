import { and, eq, inArray, isNotNull, or, sql } from "drizzle-orm";
import type { Queryable } from "#db/client.ts";
import { signIns, users } from "#db/schema/users.ts";
import { isUnconfirmedNow } from "#src/sign-ins/find-sign-in.ts";

/**
 * Which of these sign-ins open nothing any more: ended, over by their time, or of somebody who was deactivated or has not
 * confirmed the address in time. Who only watches for long is not sent away.
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
