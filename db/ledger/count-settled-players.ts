import { sql } from "drizzle-orm";
import * as v from "valibot";
import type { Queryable } from "../client.ts";
import { queryRow, wholeNumber } from "./query.ts";

/** The number of players of a settlement, paid or not yet paid. */
export async function countSettledPlayers(db: Queryable, settlementId: number): Promise<number> {
  const { playersCount } = await queryRow(
    db,
    v.object({ playersCount: wholeNumber }),
    sql`SELECT count(DISTINCT c.user_id) AS "playersCount"
      FROM settlement_lines l JOIN calls c ON c.id = l.call_id WHERE l.settlement_id = ${settlementId}`,
  );
  return playersCount;
}
