import { sql } from "drizzle-orm";
import * as v from "valibot";
import type { Queryable } from "#db/client.ts";
import { whole } from "#src/wallet/whole.ts";
import { appliesTo } from "./in-scope.ts";
import type { ExclusionNote } from "./schemas.ts";

const noteRow = v.object({ sessionId: v.nullable(whole), reason: v.string() });

/** Why a player is not ranked in a session (or over all, where `sessionId` is null); null for whoever may be. */
export async function findExclusion(
  db: Queryable,
  { sessionId, userId }: { sessionId: number | null; userId: number },
): Promise<ExclusionNote | null> {
  const [row] = await db.execute(sql`
    SELECT x.session_id AS "sessionId", x.reason FROM exclusions x
    WHERE x.user_id = ${userId} AND ${appliesTo(sessionId)} ORDER BY x.session_id NULLS FIRST LIMIT 1`);
  return row === undefined ? null : v.parse(noteRow, row);
}
