import { type SQL, sql } from "drizzle-orm";

/** Condition: scores `s` of one session, or (null) of all sessions together. */
export function inScope(sessionId: number | null): SQL {
  return sessionId === null ? sql`s.session_id IS NULL` : sql`s.session_id = ${sessionId}`;
}

/**
 * Condition: scores `s` of players who are not excluded from this leaderboard. The few excluded ids are selected once as an
 * array, so that the order of scores can still be read from its index alone.
 */
export function notExcluded(sessionId: number | null): SQL {
  return sql`s.user_id <> ALL (ARRAY(SELECT x.user_id FROM exclusions x WHERE ${appliesTo(sessionId)}))`;
}

/** Condition: exclusions `x` that apply to a leaderboard. A session's are its own and those from every leaderboard. */
export function appliesTo(sessionId: number | null): SQL {
  return sessionId === null
    ? sql`x.session_id IS NULL`
    : sql`(x.session_id IS NULL OR x.session_id = ${sessionId})`;
}
