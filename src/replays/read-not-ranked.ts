import { sql } from "drizzle-orm";
import * as v from "valibot";
import type { Queryable } from "#db/client.ts";
import type { NotRanked } from "./fold-leaders.ts";

const ids = v.nullable(v.array(v.number()));
const notRanked = v.object({ excluded: ids, excludedEverywhere: ids, guests: ids });

/**
 * Who was not ranked before the log of a session says so. An entry that ends an exclusion, or the time as a guest, proves that it
 * was so before; a guest without an entry has always been one.
 */
export async function readNotRanked(db: Queryable, sessionId: number): Promise<NotRanked> {
  const [row] = await db.execute(sql`
    WITH players AS (SELECT user_id FROM scores WHERE session_id = ${sessionId}),
    first AS (
      SELECT DISTINCT ON (kind, session_id, subject_id) kind, session_id, subject_id, detail FROM (
        SELECT id, kind, session_id, subject_id, detail FROM session_log
        WHERE kind = 'exclusion' AND session_id = ${sessionId}
        UNION ALL
        SELECT id, kind, session_id, subject_id, detail FROM session_log
        WHERE kind = 'exclusion' AND session_id IS NULL
        UNION ALL
        SELECT l.id, l.kind, l.session_id, l.subject_id, l.detail FROM players p
          JOIN session_log l ON l.kind = 'guest' AND l.session_id IS NULL AND l.subject_id = p.user_id
      ) log
      ORDER BY kind, session_id, subject_id, id
    )
    SELECT
      (SELECT json_agg(subject_id) FROM first
        WHERE kind = 'exclusion' AND session_id IS NOT NULL AND detail = '{"excluded": false}') AS excluded,
      (SELECT json_agg(subject_id) FROM first
        WHERE kind = 'exclusion' AND session_id IS NULL AND detail = '{"excluded": false}') AS "excludedEverywhere",
      (SELECT json_agg(u.id) FROM users u JOIN players p ON p.user_id = u.id
        LEFT JOIN first f ON f.kind = 'guest' AND f.subject_id = u.id
        WHERE CASE WHEN f.subject_id IS NULL THEN u.guest ELSE f.detail = '{"guest": false}' END) AS guests`);
  const read = v.parse(notRanked, row);
  return {
    excluded: read.excluded ?? [],
    excludedEverywhere: read.excludedEverywhere ?? [],
    guests: read.guests ?? [],
  };
}
