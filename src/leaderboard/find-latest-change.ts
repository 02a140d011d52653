import { sql } from "drizzle-orm";
import * as v from "valibot";
import type { Queryable } from "#db/client.ts";
import { whole } from "#src/wallet/whole.ts";

/** A change may be committed after later ones, so that the newest number alone would not tell of it. */
const LOOKED_AT = 100;

const latestRow = v.object({ newest: v.nullable(whole), sum: v.nullable(whole) });

/**
 * A word that is another one after every change of a table.
 * @param sessionId null: the table of all sessions, which each change concerns.
 */
export async function findLatestChange(db: Queryable, sessionId: number | null): Promise<string> {
  const ofTable = sessionId === null ? sql`TRUE` : sql`(session_id = ${sessionId} OR session_id IS NULL)`;
  const [row] = await db.execute(sql`
    SELECT max(id) AS newest, sum(id) AS sum FROM (
      SELECT id FROM leaderboard_changes WHERE ${ofTable} ORDER BY id DESC LIMIT ${LOOKED_AT}
    ) AS changes`);
  const { newest, sum } = v.parse(latestRow, row);
  return `${newest}-${sum}`;
}
