import { sql } from "drizzle-orm";
import * as v from "valibot";
import type { Queryable } from "../client.ts";
import { queryRow, wholeNumber } from "./query.ts";

/** The number of players of a settlement, whether they are paid yet or not. */
export async function countCallers(db: Queryable, settlementId: number): Promise<number> {
  const { callersCount } = await queryRow(
    db,
    v.object({ callersCount: wholeNumber }),
    sql`SELECT count(DISTINCT c.user_id) AS "callersCount"
      FROM settlement_lines l JOIN calls c ON c.id = l.call_id WHERE l.settlement_id = ${settlementId}`,
  );
  return callersCount;
}
