import * as v from "valibot";
import type { DatabasePool } from "#db/client.ts";
import { APPLICATION_ROLE } from "#db/embedded/data-folder.ts";

export const LIBRARY = "pg_stat_statements";

const touchedRow = v.object({ statement: v.string(), blocks: v.number() });
/** A statement, and the blocks of tables and indexes that one run of it has touched in the mean. */
type Touched = v.InferOutput<typeof touchedRow>;

/** Counts the blocks that each statement of the application touches, also inside of functions. Postgres must have started with LIBRARY. */
export async function countBlocks({ sql }: DatabasePool): Promise<void> {
  await sql.unsafe(`CREATE EXTENSION ${LIBRARY}`);
  await sql.unsafe(`ALTER ROLE ${APPLICATION_ROLE} SET ${LIBRARY}.track = 'all'`);
}

/** The statements that have touched the most blocks since the last call. Resets the counts. */
export async function readTouched({ sql }: DatabasePool): Promise<Touched[]> {
  const rows = await sql`SELECT regexp_replace(query, '\\s+', ' ', 'g') AS statement,
      ((shared_blks_hit + shared_blks_read) / calls)::float8 AS blocks
    FROM pg_stat_statements s JOIN pg_roles r ON r.oid = s.userid
    WHERE r.rolname = ${APPLICATION_ROLE} ORDER BY 2 DESC LIMIT 100`;
  await sql`SELECT pg_stat_statements_reset()`;
  return v.parse(v.array(touchedRow), [...rows]);
}
