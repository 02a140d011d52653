import { sql } from "drizzle-orm";
import * as v from "valibot";
import type { Queryable } from "./client.ts";

const answer = v.object({ setting: v.string() });

/** True if the server ends a statement of this connection that runs for too long. */
export async function hasStatementTimeout(db: Queryable): Promise<boolean> {
  const [row] = await db.execute(sql`SELECT current_setting('statement_timeout') AS setting`);
  return v.parse(answer, row).setting !== "0";
}
