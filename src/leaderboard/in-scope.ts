import { type SQL, sql } from "drizzle-orm";

/** True for scores `s` of one session, or of all sessions together (null). */
export function inScope(sessionId: number | null): SQL {
  return sessionId === null ? sql`s.session_id IS NULL` : sql`s.session_id = ${sessionId}`;
}

/**
 * True for scores `s` of players who are ranked: nobody excluded them from everything, or from this session. The few who are
 * excluded are looked up once, so that the order of scores can still be read from its index alone.
 */
export function notExcluded(sessionId: number | null): SQL {
  return sql`s.user_id <> ALL (ARRAY(SELECT x.user_id FROM exclusions x WHERE ${appliesTo(sessionId)}))`;
}

/** True for exclusions `x` that count in a session's table: its own, and those from everything. */
export function appliesTo(sessionId: number | null): SQL {
  return sessionId === null
    ? sql`x.session_id IS NULL`
    : sql`(x.session_id IS NULL OR x.session_id = ${sessionId})`;
}
