import { sql } from "drizzle-orm";
import * as v from "valibot";
import type { Queryable } from "#db/client.ts";
import { notPaused } from "#src/base/try-rows.ts";

const behindRow = v.tuple([v.object({ ms: v.number() })]);

/** How long the oldest fact has waited to be broadcast. It reads one entry of an index that has the waiting facts alone. */
export async function readBehindMs(db: Queryable): Promise<number> {
  const rows = await db.execute(sql`SELECT coalesce((
      SELECT greatest(0, extract(epoch FROM game_now() - created_at) * 1000)
      FROM outbox WHERE sent_at IS NULL AND ${notPaused("fact", sql`outbox.id`)} ORDER BY id LIMIT 1
    ), 0)::float8 AS ms`);
  return Math.round(v.parse(behindRow, [...rows])[0].ms);
}
