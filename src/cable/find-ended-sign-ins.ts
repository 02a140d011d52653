import { and, inArray, isNotNull } from "drizzle-orm";
import type { Queryable } from "#db/client.ts";
import { signIns } from "#db/schema/users.ts";

/** Which of these sign-ins were ended. */
export async function findEndedSignIns(db: Queryable, ids: readonly string[]): Promise<string[]> {
  if (ids.length === 0) return [];
  const rows = await db
    .select({ id: signIns.id })
    .from(signIns)
    .where(and(inArray(signIns.id, [...new Set(ids)]), isNotNull(signIns.endedAt)));
  return rows.map(({ id }) => id);
}
